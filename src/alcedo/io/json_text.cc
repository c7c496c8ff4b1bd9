#include "alcedo/io/json_text.h"

#include <fmt/format.h>

#include "alcedo/base/error.h"

namespace alcedo {

std::string JsonProblem(const nlohmann::json::exception& error) {
  std::string_view what = error.what();
  if (what.starts_with("[json.exception.")) what.remove_prefix(what.find(']') + 2);
  constexpr std::string_view kPlace = "parse error at ";
  if (what.starts_with(kPlace)) what.remove_prefix(kPlace.size());
  return std::string(what);
}

using Json = nlohmann::ordered_json;

Json ParseJson(std::string_view text, const std::string& file) {
  constexpr int kMaxDepth = 64;
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth <= kMaxDepth) return true;
    throw FormatError(file, fmt::format("is nested more than {} levels deep", kMaxDepth));
  };
  try {
    return Json::parse(text.begin(), text.end(), check_depth);
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(file, fmt::format("is not JSON: {}", JsonProblem(error)));
  }
}

Json ParseJsonIfItIs(std::string_view text) {
  try {
    return ParseJson(text, "");
  } catch (const FormatError&) {
    return Json(Json::value_t::discarded);
  }
}

}  // namespace alcedo
