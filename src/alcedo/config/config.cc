#include "alcedo/config/config.h"

#include <fmt/format.h>

#include <type_traits>

#include "alcedo/config/field_json.h"

namespace alcedo {
namespace {

template <class Config>
Json SectionsToJson(Config& config) {
  Json json;
  VisitSections(config, [&](std::string_view section, auto&& fields) {
    Json& target = section.empty() ? json : json[std::string(section)] = Json::object();
    fields(FieldsToJson{target});
  });
  return json;
}

// Sets one field of one section. False if the section has no such field; `names` gets those
// that it has.
template <class Config>
bool SetField(Config& config, std::string_view wanted, const std::string& field, const Json& value,
              const std::string& path, std::vector<std::string>& names) {
  FieldFromJson reader(field, value, path);
  VisitSections(config, [&](std::string_view section, auto&& fields) {
    if (section == wanted) fields(reader);
  });
  names = reader.names();
  return reader.found();
}

template <class Config>
std::vector<std::string> SectionNames(Config& config) {
  std::vector<std::string> names;
  VisitSections(config, [&](std::string_view section, auto&&) {
    if (!section.empty()) names.emplace_back(section);
  });
  return names;
}

template <class Config>
void Update(Config& config, const Json& json, const std::string& where) {
  if (!json.is_object()) throw InvalidArgument(where + ": the configuration must be a table");
  for (const auto& [key, value] : json.items()) {
    std::vector<std::string> names;
    if (!value.is_object()) {
      if (SetField(config, "", key, value, fmt::format("{}: {}", where, key), names)) continue;
      throw InvalidArgument(
          fmt::format("{}: {} is not an option{}", where, key, DidYouMean(key, names)));
    }
    const std::vector<std::string> sections = SectionNames(config);
    if (std::find(sections.begin(), sections.end(), key) == sections.end()) {
      throw InvalidArgument(
          fmt::format("{}: [{}] is not a section{}", where, key, DidYouMean(key, sections)));
    }
    for (const auto& [field, field_value] : value.items()) {
      const std::string path = fmt::format("{}: {}.{}", where, key, field);
      if (SetField(config, key, field, field_value, path, names)) continue;
      throw InvalidArgument(fmt::format("{}: {} is not an option of [{}]{}", where, field, key,
                                        DidYouMean(field, names)));
    }
  }
}

}  // namespace

Json ToJson(LearnConfig config) { return SectionsToJson(config); }
Json ToJson(EncodeConfig config) { return SectionsToJson(config); }

void UpdateFromJson(LearnConfig& config, const Json& json, const std::string& where) {
  Update(config, json, where);
}
void UpdateFromJson(EncodeConfig& config, const Json& json, const std::string& where) {
  Update(config, json, where);
}

std::vector<DescriptorChoice> DescriptorsOf(const DescriptorSet& set) {
  return set.Visit([]<class Options>(const Options& options) -> std::vector<DescriptorChoice> {
    if constexpr (std::is_same_v<Options, BothDescriptors>) {
      return {SiftOptions{}, ColorOptions{}};
    } else {
      return {options};
    }
  });
}

}  // namespace alcedo
