// JSON that people write: where it is wrong, in words.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "alcedo/config/field_json.h"

namespace alcedo {

// FormatError naming `file`, the line and the column if it is not JSON, or is nested more than 64
// levels deep.
Json ParseJson(std::string_view text, const std::string& file);

// What is wrong, without the number that the JSON library gives its errors.
std::string JsonProblem(const nlohmann::json::exception& error);

}  // namespace alcedo
