// The options of an experiment, as its files record them.
#pragma once

#include <string>

#include "alcedo/config/field_json.h"
#include "alcedo/reproduce/reproduce_options.h"

namespace alcedo::reproduce {

// All options by their names.
Json OptionsJson(ReproduceOptions options);

// One of them. A file that lacks an option was written before there was one, when everything was
// done as its default says.
Json RecordedOption(const Json& options, const std::string& name);

}  // namespace alcedo::reproduce
