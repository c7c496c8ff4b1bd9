#include "alcedo/cli/style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "alcedo/cli/stdio.h"

namespace alcedo::cli {

bool WantsStyle(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool able = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
  return !refused && able && isatty(descriptor) == 1;
}

std::string Bold(std::string_view text) { return fmt::format("\033[1m{}\033[0m", text); }

std::string RedBold(std::string_view text) { return fmt::format("\033[1;31m{}\033[0m", text); }

std::string WithBoldHeadings(std::string_view help) {
  constexpr std::string_view kUsage = "Usage:";
  std::string styled;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size() - 1);
    const std::string_view line = help.substr(0, help[end] == '\n' ? end : end + 1);
    help.remove_prefix(end + 1);
    if (line.starts_with(kUsage)) {
      styled += Bold(kUsage);
      styled += line.substr(kUsage.size());
    } else if (line.ends_with(":") && !line.starts_with(" ") && help.starts_with("  ")) {
      styled += Bold(line);
    } else {
      styled += line;
    }
    styled += '\n';
  }
  return styled;
}

void WriteHelp(std::string_view help) {
  WriteStdout(WantsStyle(STDOUT_FILENO) ? WithBoldHeadings(help) : std::string(help));
}

}  // namespace alcedo::cli
