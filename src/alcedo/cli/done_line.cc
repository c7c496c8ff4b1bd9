#include "alcedo/cli/done_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/cli/progress.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/vocabulary_text.h"

namespace alcedo::cli {

std::string DoneText(Index items, double seconds, std::string_view unit,
                     const std::vector<std::string>& outputs) {
  std::string text =
      items > 0 ? fmt::format("{} {} in {}, {:.1f} {}/s", Thousands(items), unit, Duration(seconds),
                              static_cast<double>(items) / std::max(seconds, 1e-9), unit)
                : fmt::format("done in {}", Duration(seconds));
  std::string_view before = "; wrote ";
  for (const std::string& output : outputs) {
    if (output.empty() || output == "-") continue;
    text += fmt::format("{}{}", before, output);
    before = ", ";
  }
  return text;
}

void DoneLine::Print(Index items, std::string_view unit,
                     const std::vector<std::string>& outputs) const {
  if (quiet_ || !SomebodyIsLooking()) return;
  const std::chrono::duration<double> seconds = Clock::now() - start_;
  PrintLine(DoneText(items, seconds.count(), unit, outputs));
}

}  // namespace alcedo::cli
