// Configs as files: TOML for people, JSON for programs.
#include <fmt/format.h>

// The library's exceptions are ours to turn into FormatError. What it takes for granted does not
// hold for every broken file ("[" at the end of a line): without NDEBUG it would end the process,
// and with it clang would be told that it cannot happen.
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(expression) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "alcedo/config/config.h"
#include "alcedo/config/field_json.h"
#include "alcedo/config/toml_keys.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/io/plain_text.h"

namespace alcedo {
namespace {

// A hundred times the largest that --dump-config writes, with all its comments.
constexpr std::int64_t kMaxConfigBytes = std::int64_t{1} << 20;

Json FromToml(const toml::node& node, const std::string& where) {
  if (const toml::table* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) {
      json[std::string(key.str())] = FromToml(value, where);
    }
    return json;
  }
  if (const toml::array* array = node.as_array()) {
    Json json = Json::array();
    for (const toml::node& value : *array) json.push_back(FromToml(value, where));
    return json;
  }
  if (const auto value = node.value_exact<bool>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) {
    // Unsigned, as JSON reads it, so that both give the same.
    if (*value >= 0) return static_cast<std::uint64_t>(*value);
    return *value;
  }
  if (const auto value = node.value_exact<double>()) return JsonNumber(*value);
  if (const auto value = node.value_exact<std::string>()) return *value;
  throw FormatError(where, fmt::format("line {} holds a date or time, which no option takes",
                                       node.source().begin.line));
}

// A number as TOML: those that are not finite are bare words there.
std::string TomlNumber(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string TomlValue(double value) { return TomlNumber(JsonNumber(value)); }
std::string TomlValue(const std::vector<double>& values) {
  std::string list;
  for (const double value : values) list += (list.empty() ? "" : ", ") + TomlValue(value);
  return "[" + list + "]";
}
template <NamedEnum E>
std::string TomlValue(const E& value) {
  return fmt::format("\"{}\"", Name(value));
}
template <AnyChoice C>
std::string TomlValue(const C& value) {
  return fmt::format("\"{}\"", value.name());
}
template <class T>
  requires(!NamedEnum<T> && !AnyChoice<T>)
std::string TomlValue(const T& value) {
  return Json(value).dump();
}

struct TomlLines {
  std::string& text;

  template <class T>
  void operator()(std::string_view field, T& value, std::string_view help) const {
    std::string comment(help);
    if constexpr (NamedEnum<T> || AnyChoice<T>) comment += fmt::format(": {}", NameList<T>());
    text += fmt::format("{} = {}  # {}\n", field, TomlValue(value), comment);
  }
};

template <class Config>
std::string SectionsToToml(Config config) {
  std::string text;
  VisitSections(config, [&](std::string_view section, auto&& fields) {
    if (!section.empty()) text += fmt::format("\n[{}]\n", section);
    fields(TomlLines{text});
  });
  return text;
}

}  // namespace

Json ReadConfigFile(const std::filesystem::path& path) {
  const std::string name = path.string();
  const std::string bytes = ReadFileBytes(path, kMaxConfigBytes);
  const std::string_view text = PlainText(bytes, name);
  if (path.extension() == ".json") return ParseJson(text, name);
  internal::CheckTomlKeys(text, name);
  try {
    return FromToml(toml::parse(text), name);
  } catch (const toml::parse_error& error) {
    throw FormatError(name, fmt::format("is not TOML: line {}: {}", error.source().begin.line,
                                        std::string(error.description())));
  }
}

std::string ToToml(const LearnConfig& config) { return SectionsToToml(config); }
std::string ToToml(const EncodeConfig& config) { return SectionsToToml(config); }

}  // namespace alcedo
