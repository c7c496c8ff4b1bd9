#include "alcedo/cli/failure_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "alcedo/cli/stdio.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/csv.h"
#include "alcedo/base/escape.h"

namespace alcedo::cli {
namespace {

constexpr std::size_t kMaxLines = 20;

}  // namespace

std::string Sentence(const BadImage& image) {
  if (image.reason.find(image.name) != std::string::npos) return image.reason;
  return fmt::format("{}: {}", image.name, image.reason);
}

void PrintBadImages(std::span<const BadImage> bad, std::size_t total, const std::string& rest) {
  if (bad.empty()) return;
  PrintLine(fmt::format("alcedo: {} of {} images {} bad:", bad.size(), total,
                        bad.size() == 1 ? "was" : "were"));
  const std::size_t shown = std::min(bad.size(), kMaxLines);
  for (std::size_t i = 0; i < shown; ++i) PrintLine("  " + Sentence(bad[i]));
  if (shown < bad.size()) {
    const std::string where = rest.empty() ? "" : ", listed in " + rest;
    PrintLine(fmt::format("  and {} more{}", bad.size() - shown, where));
  }
}

std::string FailuresCsv(std::span<const BadImage> bad) {
  std::string text;
  internal::AppendCsvRecord(text, std::array<std::string_view, 2>{"name", "reason"});
  for (const BadImage& image : bad) {
    const std::string name = internal::EscapeText(image.name);
    const std::string reason = internal::EscapeText(image.reason);
    internal::AppendCsvRecord(text, std::array<std::string_view, 2>{name, reason});
  }
  return text;
}

void WriteFailures(const std::string& file, std::span<const BadImage> bad) {
  if (bad.empty()) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return;
  }
  WriteWholeFile(file, FailuresCsv(bad));
}

}  // namespace alcedo::cli
