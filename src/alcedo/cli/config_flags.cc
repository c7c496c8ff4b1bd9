#include "alcedo/cli/config_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace alcedo::cli {
namespace {

// Sections whose fields are unmistakable, and fields that are so by themselves.
constexpr std::array<std::string_view, 4> kPlainSections = {"", "image", "grid", "gmp"};
constexpr std::array<std::string_view, 3> kPlainFields = {"gaussians", "clusters", "atoms"};

std::pair<std::string_view, std::string_view> SectionAndField(std::string_view option) {
  const std::size_t dot = option.find('.');
  if (dot == std::string_view::npos) return {"", option};
  return {option.substr(0, dot), option.substr(dot + 1)};
}

bool Has(const Json& file, std::string_view option) {
  const auto [section, field] = SectionAndField(option);
  if (section.empty()) return file.contains(field);
  return file.contains(section) && file[section].is_object() && file[section].contains(field);
}

std::string RuleText(const InvalidArgument& error) {
  return error.value().empty() ? error.rule()
                               : fmt::format("{}, got {}", error.rule(), error.value());
}

}  // namespace

FlagParts FlagPartsOf(std::string_view section, std::string_view field) {
  if (section == "gmp" && field == "relative") return {"", "lambda_relative"};
  const bool plain = std::ranges::count(kPlainSections, section) > 0 ||
                     std::ranges::count(kPlainFields, field) > 0;
  return {plain ? "" : fmt::format("{}-", section), std::string(field)};
}

std::string FlagName(std::string_view prefix, std::string_view field, bool negated) {
  std::string name = fmt::format("--{}{}{}", prefix, negated ? "no-" : "", field);
  for (char& c : name) c = c == '_' ? '-' : c;
  return name;
}

std::string FlagOf(std::string_view option) {
  const auto [section, field] = SectionAndField(option);
  const FlagParts parts = FlagPartsOf(section, field);
  return FlagName(parts.prefix, parts.field);
}

std::string FlagWithValue(std::string_view option, std::string_view value) {
  if (value == "true" || value.empty()) return FlagOf(option);
  if (value != "false") return fmt::format("{} {}", FlagOf(option), value);
  const auto [section, field] = SectionAndField(option);
  const FlagParts parts = FlagPartsOf(section, field);
  return FlagName(parts.prefix, parts.field, true);
}

std::string Advice(const Hint& hint) {
  if (hint.empty()) return "";
  std::string text = hint.text;
  if (!hint.option.empty()) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", FlagWithValue(hint.option, hint.value));
  }
  return "; " + text;
}

std::string ErrorText(const Error& error) {
  const auto* argument = dynamic_cast<const InvalidArgument*>(&error);
  if (argument == nullptr || argument->option().empty() ||
      !App::Knows(FlagOf(argument->option()))) {
    return error.what() + Advice(error.hint());
  }
  return fmt::format("{} {}{}", FlagOf(argument->option()), RuleText(*argument),
                     Advice(error.hint()));
}

FlagPlace OnlyFor(std::string choice, std::string value) {
  return {fmt::format("Only for --{} {}", choice, value), choice, {value}};
}

void CheckPlaces(const App& app, const std::vector<PlacedFlag>& flags, const Json& config) {
  for (const auto& [name, place] : flags) {
    if (place.values.empty() || !app.Given(name)) continue;
    const std::string chosen = config.at(place.choice).get<std::string>();
    if (chosen == "auto") continue;  // what that is will be known later
    RequireUsage(std::ranges::count(place.values, chosen) > 0,
                 fmt::format("{} goes with --{} {}, not with --{} {}", name, place.choice,
                             fmt::join(place.values, " or "), place.choice, chosen));
  }
}

void CheckConfig(const ConfigOrigin& origin, const std::function<void()>& check) {
  try {
    check();
  } catch (const InvalidArgument& error) {
    const std::string& option = error.option();
    if (option.empty()) throw;
    const std::string flag = FlagOf(option);
    const auto [section, field] = SectionAndField(option);
    const FlagParts parts = FlagPartsOf(section, field);
    if (origin.app.Given(flag) || origin.app.Given(FlagName(parts.prefix, parts.field, true))) {
      throw UsageError(ErrorText(error));
    }
    if (!Has(origin.from_file, option)) throw;
    throw FormatError(origin.file,
                      fmt::format("{} {}{}", option, RuleText(error), Advice(error.hint())));
  }
}

void CheckFlags(const App& app, const std::function<void()>& check) { CheckConfig({app}, check); }

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
