// Text that should be JSON: where it is wrong, in words. Copies and comparisons of JSON go into it
// as deep as it is nested, so that no deep one may come in.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace alcedo {

// FormatError naming `file`, the line and the column if it is not JSON, or is nested more than 64
// levels deep.
nlohmann::ordered_json ParseJson(std::string_view text, const std::string& file);

// The same for text that may be anything: is_discarded() then.
nlohmann::ordered_json ParseJsonIfItIs(std::string_view text);

// What is wrong, without the number that the JSON library gives its errors.
std::string JsonProblem(const nlohmann::json::exception& error);

}  // namespace alcedo
