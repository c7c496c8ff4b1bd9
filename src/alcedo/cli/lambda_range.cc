#include "alcedo/cli/lambda_range.h"

#include <fmt/format.h>

#include <algorithm>

namespace alcedo::cli {
namespace {

std::string RangeText(double low, double high) {
  // Lambdas that a person would call the same are the same.
  const std::string from = fmt::format("{:.4g}", low), to = fmt::format("{:.4g}", high);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

}  // namespace

void LambdaRange::Add(double absolute, double relative) {
  const auto extend = [this](Range& range, double value) {
    range.low = any_ ? std::min(range.low, value) : value;
    range.high = any_ ? std::max(range.high, value) : value;
  };
  extend(absolute_, absolute);
  extend(relative_, relative);
  any_ = true;
}

void LambdaRange::Add(std::span<const SolveReport> reports) {
  for (const SolveReport& report : reports) Add(report.lambda, report.lambda_relative);
}

void LambdaRange::Add(const LambdaRange& other) {
  if (!other.any_) return;
  Add(other.absolute_.low, other.relative_.low);
  Add(other.absolute_.high, other.relative_.high);
}

std::string LambdaRange::Text() const {
  if (!any_) return "";
  return fmt::format("lambda {} (relative {})", RangeText(absolute_.low, absolute_.high),
                     RangeText(relative_.low, relative_.high));
}

}  // namespace alcedo::cli
