#include "alcedo/store/store_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/base/utf8.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/json_text.h"

namespace alcedo {
namespace internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStoreFormat = "alcedo feature store";
constexpr std::string_view kShardFormat = "alcedo feature shard";
constexpr int kVersion = 1;

// Bytes that are not UTF-8 are replaced.
std::string Dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json ParseConfig(const StoreHeader& header) {
  Json config = Json::parse(header.config, nullptr, false);
  if (!config.is_object()) {
    throw InvalidArgument("config", "must be a JSON object", EscapeText(header.config));
  }
  return config;
}

// "sum", 4, [1,2]: a value as a message shows it.
std::string Shown(const Json& value) {
  return value.is_string() ? EscapeText(value.get<std::string>()) : Dump(value);
}

// What is said of the first option that differs, in the order of `wanted`; nothing if none does.
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

std::string Quoted(std::string_view bytes) { return Json(EscapeText(bytes)).dump(); }

std::string SealOf(std::string_view text) {
  return fmt::format("\"json_hash\": \"{}\"\n}}\n", ContentHash(text));
}

std::string Text(const Json& field, std::string_view name, const std::string& file) {
  auto bytes = UnescapeText(field.get_ref<const std::string&>());
  if (bytes) return std::move(*bytes);
  throw FormatError(file, fmt::format("a {} has an unknown escape", name));
}

std::int64_t Count(const Json& field, std::string_view name, const std::string& file) {
  // Numbers of 2^63 and more are unsigned too, and would become negative.
  if (field.is_number_unsigned() && field.get<std::int64_t>() >= 0) {
    return field.get<std::int64_t>();
  }
  throw FormatError(file, fmt::format("{} must be an integer >= 0, got {}", name, field.dump()));
}

StoreEntry ParseEntry(const Json& json, const std::string& file) {
  StoreEntry entry;
  entry.name = Text(json.at("name"), "name", file);
  entry.hash = Text(json.at("hash"), "hash", file);
  entry.bytes = Count(json.at("bytes"), "bytes", file);
  entry.patches = Count(json.at("patches"), "patches", file);
  if (json.contains("failure")) entry.failure = Text(json.at("failure"), "failure", file);
  if (entry.name.empty()) throw FormatError(file, "has an image without a name");
  return entry;
}

}  // namespace

StoreHeader NormalizedHeader(const StoreHeader& header) {
  Check(header);
  StoreHeader normalized = header;
  normalized.config = Dump(ParseConfig(header));
  return normalized;
}

std::string ConfigHash(const StoreHeader& header) { return ContentHash(header.config); }

Index RowSize(const StoreHeader& header) {
  Index size = 1;
  for (const Index d : header.shape) size *= d;
  return size;
}

Index RowBytes(const StoreHeader& header) {
  return RowSize(header) * (header.type == ValueType::kFloat32 ? 4 : 8);
}

std::string StoreText(const StoreHeader& header) {
  Json json = {{"format", kStoreFormat}, {"version", kVersion}};
  json.update(Layout(header));
  json["config_hash"] = ConfigHash(header);
  json["config"] = ParseConfig(header);
  return Dump(json, 2) + "\n";
}

StoreHeader ParseStoreText(const std::string& text, const std::string& file) {
  const auto refuse = [&](const std::string& what) -> FormatError {
    return FormatError(file, what + "; choose another folder");
  };
  const Json json = ParseJsonIfItIs(text);
  if (!json.is_object() || json.value("format", Json()) != kStoreFormat) {
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
    for (const Json& size : json.at("shape")) header.shape.push_back(Count(size, "shape", file));
    const std::int64_t images = Count(json.at("images_per_shard"), "images_per_shard", file);
    Require(images <= std::numeric_limits<int>::max(), "images_per_shard", "in the range of int",
            static_cast<double>(images));
    header.images_per_shard = static_cast<int>(images);
    header.config = Dump(json.at("config"));
    Check(header);
  } catch (const Json::exception&) {
    throw refuse("lacks a field or has one of the wrong type");
  } catch (const InvalidArgument& error) {
    throw refuse(error.what());
  }
  if (json != Json::parse(StoreText(header))) {
    throw refuse("was changed: its config_hash is not that of its config, or a field is not one");
  }
  return header;
}

void CheckSameHeader(const std::filesystem::path& folder, const StoreHeader& stored,
                     const StoreHeader& wanted) {
  std::optional<std::string> difference = Difference(ParseConfig(stored), ParseConfig(wanted), "");
  if (!difference) difference = Difference(Layout(stored), Layout(wanted), "");
  if (!difference) return;
  throw InvalidArgument(
      fmt::format("{} was made {}; choose another folder, or resume with the options of this one",
                  folder.string(), *difference));
}

Index CountRows(std::span<const StoreEntry> entries) {
  return std::ranges::count_if(entries, [](const auto& entry) { return entry.failure.empty(); });
}

std::string ShardText(const ShardRecord& shard) {
  std::string text = fmt::format(
      "{{\n\"format\": \"{}\",\n\"shard\": {},\n\"rows\": {},\n\"config_hash\": \"{}\",\n"
      "\"npy_hash\": \"{}\",\n\"images\": [\n",
      kShardFormat, shard.number, CountRows(shard.entries), shard.config_hash, shard.npy_hash);
  bool first = true;
  for (const StoreEntry& entry : shard.entries) {
    if (!first) text += ",\n";
    first = false;
    text += fmt::format(R"({{"name":{},"hash":{},"bytes":{},"patches":{})", Quoted(entry.name),
                        Quoted(entry.hash), entry.bytes, entry.patches);
    if (!entry.failure.empty()) text += fmt::format(R"(,"failure":{})", Quoted(entry.failure));
    text += '}';
  }
  text += "\n],\n";
  return text + SealOf(text);
}

ShardRecord ParseShardText(const std::string& text, const std::string& file) {
  const std::size_t seal_size = SealOf("").size();
  if (text.size() < seal_size || !text.ends_with("\"\n}\n")) {
    throw FormatError(file, "is truncated, or not the record of a shard");
  }
  const std::string_view body = std::string_view(text).substr(0, text.size() - seal_size);
  if (!text.ends_with(SealOf(body))) {
    throw FormatError(file, "was changed: its json_hash is not that of its text");
  }
  ShardRecord shard;
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kShardFormat) {
      throw FormatError(file, "is not the record of a shard");
    }
    shard.number = Count(json.at("shard"), "shard", file);
    shard.config_hash = json.at("config_hash").get<std::string>();
    shard.npy_hash = json.at("npy_hash").get<std::string>();
    for (const Json& image : json.at("images")) shard.entries.push_back(ParseEntry(image, file));
    if (Count(json.at("rows"), "rows", file) != CountRows(shard.entries)) {
      throw FormatError(file, "has another number of rows than of images without a failure");
    }
  } catch (const Json::exception&) {
    throw FormatError(file, "is not JSON, lacks a field or has one of the wrong type");
  }
  return shard;
}

}  // namespace internal

void Check(const StoreHeader& header) {
  internal::ParseConfig(header);
  Require(header.images_per_shard >= 1, "images_per_shard", ">= 1", header.images_per_shard);
  if (header.shape.empty() || header.shape.size() > 2) {
    throw InvalidArgument("shape", "must have 1 or 2 dimensions",
                          fmt::format("{}", header.shape.size()));
  }
  // So that the number of bytes of a shard can be represented.
  Index rest = std::numeric_limits<Index>::max() / 16 / header.images_per_shard;
  for (const Index d : header.shape) {
    if (d < 1 || d > rest) {
      throw InvalidArgument("shape", "must be positive and fit into memory", fmt::format("{}", d));
    }
    rest /= d;
  }
}

}  // namespace alcedo
