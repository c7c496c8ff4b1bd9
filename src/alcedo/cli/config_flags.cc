#include "alcedo/cli/config_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

// Sections whose fields are unmistakable, and fields that are so by themselves.
constexpr std::array<std::string_view, 4> kPlainSections = {"", "image", "grid", "gmp"};
constexpr std::array<std::string_view, 3> kPlainFields = {"gaussians", "clusters", "atoms"};

// Modules that call themselves otherwise than their section.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAliases = {
    {{"fisher", "fv"}, {"super_vector", "sv"}, {"sparse_coding", "sparse"}}};

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '/' || c == '-';
}

// Replaces whole names only.
void ReplaceName(std::string& text, const std::string& name, const std::string& flag) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
    const std::size_t end = at + name.size();
    const bool whole = (at == 0 || (!IsNamePart(text[at - 1]) && text[at - 1] != '.')) &&
                       (end == text.size() || !IsNamePart(text[end]));
    if (whole) text.replace(at, name.size(), flag);
    at += whole ? flag.size() : name.size();
  }
}

void ReplaceField(std::string& message, std::string_view section, std::string_view field) {
  const FlagParts parts = FlagPartsOf(section, field);
  const std::string flag = FlagName(parts.prefix, parts.field);
  ReplaceName(message, fmt::format("{}.{}", section, field), flag);
  for (const auto& [alias, name] : kAliases) {
    if (name == section) ReplaceName(message, fmt::format("{}.{}", alias, field), flag);
  }
}

// The field of `file` that `flag` would set, as the file has it ("grid.step"); "" where it does
// not.
std::string FieldInFile(const std::string& flag, const Json& file) {
  for (const auto& [section, fields] : file.items()) {
    if (!fields.is_object()) {
      if (FlagName("", section) == flag) return section;
      continue;
    }
    for (const auto& [field, value] : fields.items()) {
      const FlagParts parts = FlagPartsOf(section, field);
      if (FlagName(parts.prefix, parts.field) == flag) return fmt::format("{}.{}", section, field);
    }
  }
  return "";
}

}  // namespace

FlagParts FlagPartsOf(std::string_view section, std::string_view field) {
  if (section == "gmp" && field == "relative") return {"", "lambda_relative"};
  const bool plain = std::ranges::count(kPlainSections, section) > 0 ||
                     std::ranges::count(kPlainFields, field) > 0;
  return {plain ? "" : fmt::format("{}-", section), std::string(field)};
}

FlagPlace OnlyFor(std::string choice, std::string value) {
  return {fmt::format("Only for --{} {}", choice, value), choice, {value}};
}

void CheckPlaces(const std::vector<PlacedFlag>& flags, const Json& config) {
  for (const auto& [option, place] : flags) {
    if (option->count() == 0 || place.values.empty()) continue;
    const std::string chosen = config.at(place.choice).get<std::string>();
    if (chosen == "auto") continue;  // what that is will be known later
    RequireUsage(std::ranges::count(place.values, chosen) > 0,
                 fmt::format("{} goes with --{} {}, not with --{} {}", option->get_name(),
                             place.choice, fmt::join(place.values, " or "), place.choice, chosen));
  }
}

void CheckConfig(const ConfigOrigin& origin, const Json& config,
                 const std::function<void()>& check) {
  try {
    check();
  } catch (const InvalidArgument& error) {
    const std::string message = WithConfigFlags(error.what(), config);
    const std::size_t end = message.find(' ');
    if (!message.starts_with("--") || message.find(" must ", end) != end) {
      throw InvalidArgument(message);
    }
    const std::string flag = message.substr(0, end);
    const CLI::Option* option = origin.app.get_option_no_throw(flag);
    if (option != nullptr && option->count() > 0) throw UsageError(message);
    const std::string field = FieldInFile(flag, origin.from_file);
    if (field.empty()) throw InvalidArgument(message);
    throw InvalidArgument(fmt::format("{}: {}{}", origin.file, field, message.substr(end)));
  }
}

std::string WithConfigFlags(std::string message, const Json& config) {
  for (const auto& [section, fields] : config.items()) {
    if (!fields.is_object()) {
      // A field of its own: a word like others, except where a sentence begins with it.
      const std::string flag = FlagName("", section);
      if (message.starts_with(section + " ")) message.replace(0, section.size(), flag);
      continue;
    }
    for (const auto& [field, value] : fields.items()) ReplaceField(message, section, field);
  }
  ReplaceName(message, "gmp.lambda", "--lambda");
  // The vocabulary of EMK speaks of it under one name, whoever asks.
  ReplaceName(message, "emk outputs",
              config.contains("emk") ? "--emk-outputs" : "--fourier-outputs");
  // The names of the limits on pictures are said without their section.
  for (const auto& [field, value] : config["image"].items()) {
    ReplaceName(message, field, FlagName("", field));
  }
  return message;
}

}  // namespace alcedo::cli
