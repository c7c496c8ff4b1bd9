#include "alcedo/store/feature_store_shard.h"

#include <fmt/format.h>

#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/store/feature_store_entries.h"
#include "alcedo/base/escape.h"

namespace alcedo::internal {
namespace {

constexpr std::string_view kFormat = "alcedo feature shard";

std::string Quoted(std::string_view bytes) { return Json(EscapeText(bytes)).dump(); }

std::string SealOf(std::string_view text) {
  return fmt::format("\"json_hash\": \"{}\"\n}}\n", ContentHash(text));
}

std::string Text(const Json& field, std::string_view name, const std::string& where) {
  auto bytes = UnescapeText(field.get_ref<const std::string&>());
  if (bytes) return std::move(*bytes);
  throw FormatError(fmt::format("{}: a {} has an unknown escape", where, name));
}

std::int64_t Count(const Json& field, std::string_view name, const std::string& where) {
  if (field.is_number_unsigned()) return field.get<std::int64_t>();
  throw FormatError(
      fmt::format("{}: {} must be an integer >= 0, got {}", where, name, field.dump()));
}

StoreEntry ParseEntry(const Json& json, const std::string& where) {
  StoreEntry entry;
  entry.name = Text(json.at("name"), "name", where);
  entry.hash = Text(json.at("hash"), "hash", where);
  entry.bytes = Count(json.at("bytes"), "bytes", where);
  entry.patches = Count(json.at("patches"), "patches", where);
  if (json.contains("failure")) entry.failure = Text(json.at("failure"), "failure", where);
  if (entry.name.empty()) throw FormatError(where + ": has an image without a name");
  return entry;
}

}  // namespace

std::string ShardText(const ShardRecord& shard) {
  std::string text = fmt::format(
      "{{\n\"format\": \"{}\",\n\"shard\": {},\n\"rows\": {},\n\"config_hash\": \"{}\",\n"
      "\"npy_hash\": \"{}\",\n\"images\": [\n",
      kFormat, shard.number, CountRows(shard.entries), shard.config_hash, shard.npy_hash);
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

ShardRecord ParseShardText(const std::string& text, const std::string& where) {
  const std::size_t seal_size = SealOf("").size();
  if (text.size() < seal_size || !text.ends_with("\"\n}\n")) {
    throw FormatError(where + ": is truncated, or not the record of a shard");
  }
  const std::string_view body = std::string_view(text).substr(0, text.size() - seal_size);
  if (!text.ends_with(SealOf(body))) {
    throw FormatError(where + ": was changed: its json_hash is not that of its text");
  }
  ShardRecord shard;
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat) throw FormatError(where + ": is not the record of a shard");
    shard.number = Count(json.at("shard"), "shard", where);
    shard.config_hash = json.at("config_hash").get<std::string>();
    shard.npy_hash = json.at("npy_hash").get<std::string>();
    for (const Json& image : json.at("images")) shard.entries.push_back(ParseEntry(image, where));
    if (Count(json.at("rows"), "rows", where) != CountRows(shard.entries)) {
      throw FormatError(where + ": its rows are not as many as its images without a failure");
    }
  } catch (const Json::exception&) {
    throw FormatError(where + ": is no JSON, lacks a field or has one of the wrong type");
  }
  return shard;
}

}  // namespace alcedo::internal
