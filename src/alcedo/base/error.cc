#include "alcedo/base/error.h"

#include <fmt/format.h>

#include <utility>

namespace alcedo {
namespace {

std::string Sentence(const std::string& option, const std::string& rule, const std::string& value) {
  return value.empty() ? fmt::format("{} {}", option, rule)
                       : fmt::format("{} {}, got {}", option, rule, value);
}

}  // namespace

InvalidArgument::InvalidArgument(std::string option, std::string rule, std::string value, Hint hint)
    : Error(Sentence(option, rule, value), std::move(hint)),
      option_(std::move(option)),
      rule_(std::move(rule)),
      value_(std::move(value)) {}

FileError::FileError(std::string file, std::string reason, Hint hint)
    : Error(file.empty() ? reason : fmt::format("{}: {}", file, reason), std::move(hint)),
      file_(std::move(file)),
      reason_(std::move(reason)) {}

void Require(bool ok, std::string_view name, std::string_view rule, double value) {
  if (ok) return;
  throw InvalidArgument(std::string(name), fmt::format("must be {}", rule),
                        fmt::format("{}", value));
}

std::string ReasonOf(const Error& error) {
  const auto* file = dynamic_cast<const FileError*>(&error);
  return file == nullptr ? error.what() : file->reason();
}

}  // namespace alcedo
