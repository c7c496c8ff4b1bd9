// JSON files of our own that know whether they are as they were written: their last field is a
// checksum of all others.
#pragma once

#include <string>

#include "alcedo/config/field_json.h"

namespace alcedo {

// Requires an object without a "checksum".
std::string SealedJsonText(Json json);

// The object, without its checksum. FormatError of `file` if it is damaged, or is not one of these.
Json ParseSealedJson(const std::string& text, const std::string& file);

}  // namespace alcedo
