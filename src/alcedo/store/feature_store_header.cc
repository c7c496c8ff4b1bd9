#include "alcedo/store/feature_store_header.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/base/escape.h"
#include "alcedo/config/field_json.h"

namespace alcedo::internal {
namespace {

constexpr std::string_view kFormat = "alcedo feature store";
constexpr int kVersion = 1;

// What is wrong with a header; empty where nothing is.
std::string Problem(const StoreHeader& header) {
  if (!header.config.is_object()) return "config must be an object";
  if (header.images_per_shard < 1) {
    return fmt::format("images_per_shard must be >= 1, got {}", header.images_per_shard);
  }
  if (header.shape.empty() || header.shape.size() > 2) {
    return fmt::format("shape must have 1 or 2 dimensions, got {}", header.shape.size());
  }
  // So that the bytes of a shard are a number.
  Index rest = std::numeric_limits<Index>::max() / 16 / header.images_per_shard;
  for (const Index d : header.shape) {
    if (d < 1 || d > rest) return fmt::format("shape must be positive and fit memory, got {}", d);
    rest /= d;
  }
  return "";
}

// "sum", 4, [1,2]: a value as a message shows it.
std::string Shown(const Json& value) {
  return value.is_string() ? EscapeText(value.get<std::string>()) : Dump(value);
}

// What is said of the first option that differs, in the order of `wanted`; nothing where none does.
std::optional<std::string> Difference(const Json& stored, const Json& wanted,
                                      const std::string& prefix) {
  for (const auto& [key, value] : wanted.items()) {
    const std::string option = prefix + EscapeText(key);
    const auto there = stored.find(key);
    if (there == stored.end()) {
      return fmt::format("without {}, which is now {}", option, Shown(value));
    }
    if (value.is_object() && there->is_object()) {
      if (auto inner = Difference(*there, value, option + ".")) return inner;
    } else if (*there != value) {
      return fmt::format("with {} = {}, not {}", option, Shown(*there), Shown(value));
    }
  }
  for (const auto& [key, value] : stored.items()) {
    if (wanted.contains(key)) continue;
    return fmt::format("with {}{} = {}, which is now left out", prefix, EscapeText(key),
                       Shown(value));
  }
  return std::nullopt;
}

// The same fields in store.json and in comparisons, the config aside.
Json Layout(const StoreHeader& header) {
  return {{"dtype", Name(header.type)},
          {"shape", header.shape},
          {"images_per_shard", header.images_per_shard}};
}

}  // namespace

StoreHeader NormalizedHeader(const StoreHeader& header) {
  if (const std::string problem = Problem(header); !problem.empty()) {
    throw InvalidArgument("the feature store's " + problem);
  }
  StoreHeader normalized = header;
  normalized.config = Json::parse(Dump(header.config));
  return normalized;
}

std::string ConfigHash(const StoreHeader& header) { return ContentHash(Dump(header.config)); }

Index RowBytes(const StoreHeader& header) {
  Index bytes = header.type == ValueType::kFloat32 ? 4 : 8;
  for (const Index d : header.shape) bytes *= d;
  return bytes;
}

std::string StoreText(const StoreHeader& header) {
  Json json = {{"format", kFormat}, {"version", kVersion}};
  json.update(Layout(header));
  json["config_hash"] = ConfigHash(header);
  json["config"] = header.config;
  return Dump(json, 2) + "\n";
}

StoreHeader ParseStoreText(const std::string& text, const std::string& where) {
  const auto refuse = [&](const std::string& what) -> FormatError {
    return FormatError(fmt::format("{}: {}; choose another folder", where, what));
  };
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != kFormat) {
    throw refuse("is not the header of a feature store");
  }
  const Json version = json.value("version", Json());
  if (version != kVersion) {
    throw refuse(fmt::format("is of version {}, and this program knows only version {}",
                             Shown(version), kVersion));
  }
  StoreHeader header;
  try {
    header.type = ParseEnum<ValueType>("dtype", json.at("dtype").get<std::string>());
    header.shape = json.at("shape").get<std::vector<Index>>();
    header.images_per_shard = json.at("images_per_shard").get<int>();
    header.config = json.at("config");
  } catch (const Json::exception&) {
    throw refuse("lacks a field or has one of the wrong type");
  } catch (const InvalidArgument& error) {
    throw refuse(error.what());
  }
  if (const std::string problem = Problem(header); !problem.empty()) throw refuse(problem);
  if (json != Json::parse(StoreText(header))) {
    throw refuse("was changed: its config_hash is not that of its config, or a field is not one");
  }
  return header;
}

void CheckSameHeader(const std::filesystem::path& folder, const StoreHeader& stored,
                     const StoreHeader& wanted) {
  std::optional<std::string> difference = Difference(stored.config, wanted.config, "");
  if (!difference) difference = Difference(Layout(stored), Layout(wanted), "");
  if (!difference) return;
  throw InvalidArgument(
      fmt::format("{} was made {}; choose another folder, or go on with the options of this one",
                  folder.string(), *difference));
}

}  // namespace alcedo::internal
