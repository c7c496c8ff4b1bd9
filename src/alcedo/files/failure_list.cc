#include "alcedo/files/failure_list.h"

#include <array>
#include <filesystem>

#include "alcedo/base/utf8.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/csv.h"

namespace alcedo {

std::string Sentence(const Failure& failure) {
  // The reason may be a sentence that has the name already.
  if (failure.reason.find(failure.name) != std::string::npos) return failure.reason;
  return failure.name + ": " + failure.reason;
}

std::string FailuresCsv(std::span<const Failure> failures) {
  std::string text;
  internal::AppendCsvRecord(text, std::array<std::string_view, 2>{"name", "reason"});
  for (const Failure& failure : failures) {
    const std::string name = internal::EscapeText(failure.name);
    const std::string reason = internal::EscapeText(failure.reason);
    internal::AppendCsvRecord(text, std::array<std::string_view, 2>{name, reason});
  }
  return text;
}

void WriteFailures(const std::string& file, std::span<const Failure> failures) {
  if (failures.empty()) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return;
  }
  WriteWholeFile(file, FailuresCsv(failures));
}

}  // namespace alcedo
