#include "alcedo/cli/stdio.h"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "alcedo/base/text.h"
#include "alcedo/cli/errors.h"
#include "alcedo/files/failure_list.h"
#include "alcedo/files/file_batch.h"

namespace alcedo::cli {
namespace {

// Of bad images.
constexpr std::size_t kMaxLines = 20;

std::string Bold(std::string_view text) { return fmt::format("\033[1m{}\033[0m", text); }

std::string RedBold(std::string_view text) { return fmt::format("\033[1;31m{}\033[0m", text); }

std::string SystemReason() { return std::generic_category().message(errno); }

}  // namespace

std::string ReadStdin(std::int64_t max_bytes, const std::function<void(std::string_view)>& check) {
  std::string bytes;
  std::array<char, 1 << 16> chunk;
  bool checked = !check;
  while (true) {
    const ssize_t n = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw IoError("standard input", "cannot be read: " + SystemReason());
    bytes.append(chunk.data(), static_cast<std::size_t>(n));
    if (!checked && (n == 0 || bytes.size() >= chunk.size())) {
      check(bytes);
      checked = true;
    }
    if (n == 0) return bytes;
    if (static_cast<std::int64_t>(bytes.size()) > max_bytes) {
      throw FormatError("standard input",
                        fmt::format("has more than the {} that are read", FileSize(max_bytes)));
    }
  }
}

void WriteStdout(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EPIPE) throw BrokenPipe();
    if (n < 0) throw IoError("standard output", "cannot be written: " + SystemReason());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void PrintLine(std::string_view line) {
  constexpr std::string_view kName = "alcedo:", kWarning = "alcedo: warning:";
  std::string text = OneLine(line) + "\n";
  if (text.starts_with(kName) && !text.starts_with(kWarning) && WantsStyle(STDERR_FILENO)) {
    text.replace(0, kName.size(), RedBold(kName));
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void WriteLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  WriteStdout(text);
}

void PrintWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) PrintLine("alcedo: warning: " + warning);
}

void PrintNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) PrintLine("note: " + note);
}

void PrintFailures(std::span<const Failure> failures, std::size_t total, const std::string& rest) {
  if (failures.empty()) return;
  PrintLine(fmt::format("alcedo: {} of {} images {} bad:", failures.size(), total,
                        failures.size() == 1 ? "was" : "were"));
  const std::size_t shown = std::min(failures.size(), kMaxLines);
  for (std::size_t i = 0; i < shown; ++i) PrintLine("  " + Sentence(failures[i]));
  if (shown < failures.size()) {
    const std::string where = rest.empty() ? "" : ", listed in " + rest;
    PrintLine(fmt::format("  and {} more{}", failures.size() - shown, where));
  }
}

bool WantsStyle(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool able = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
  return !refused && able && isatty(descriptor) == 1;
}

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

namespace {

template <class T>
T Parse(std::string_view option, std::string_view text, std::string_view kind) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    throw UsageError(fmt::format("{}: '{}' is out of range", option, text));
  }
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw UsageError(fmt::format("{}: '{}' is not {}", option, text, kind));
  }
  return value;
}

}  // namespace

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> WithPrefix(const std::vector<std::string>& candidates,
                                    const std::string& prefix) {
  std::vector<std::string> matching;
  std::ranges::copy_if(candidates, std::back_inserter(matching),
                       [&](const std::string& word) { return word.starts_with(prefix); });
  return matching;
}

double ParseDouble(std::string_view option, std::string_view text) {
  return Parse<double>(option, text, "a number");
}

int ParseInt(std::string_view option, std::string_view text) {
  return Parse<int>(option, text, "an integer");
}

std::uint64_t ParseUnsigned(std::string_view option, std::string_view text) {
  return Parse<std::uint64_t>(option, text, "an integer >= 0");
}

std::vector<double> ParseDoubles(std::string_view option, std::string_view text) {
  std::vector<double> numbers;
  for (const std::string& part : Split(text, ',')) numbers.push_back(ParseDouble(option, part));
  return numbers;
}

}  // namespace alcedo::cli
