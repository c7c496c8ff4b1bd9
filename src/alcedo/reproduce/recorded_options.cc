#include "alcedo/reproduce/recorded_options.h"

namespace alcedo::reproduce {

Json OptionsJson(ReproduceOptions options) {
  Json json = Json::object();
  VisitFields(options, FieldsToJson{json});
  return json;
}

Json RecordedOption(const Json& options, const std::string& name) {
  if (options.contains(name)) return options.at(name);
  static const Json kDefaults = OptionsJson({});
  return kDefaults.contains(name) ? kDefaults.at(name) : Json();
}

}  // namespace alcedo::reproduce
