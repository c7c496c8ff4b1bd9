#include "alcedo/config/field_json.h"

#include <fmt/format.h>

namespace alcedo {

std::string Dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json JsonNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

void FieldFromJson::Refuse(std::string_view rule) const {
  throw InvalidArgument(fmt::format("{} must be {}, got {}", path_, rule, Dump(value_)));
}

double FieldFromJson::Number(const Json& value) const {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  Refuse("a number");
}

void FieldFromJson::Set(bool& target) const {
  if (!value_.is_boolean()) Refuse("true or false");
  target = value_.get<bool>();
}

void FieldFromJson::Set(int& target) const {
  // 1e5 is a float in TOML and JSON, and an integer to a person.
  const double number = Number(value_);
  if (number != std::floor(number) || std::abs(number) > std::numeric_limits<int>::max()) {
    Refuse("an integer");
  }
  target = static_cast<int>(number);
}

void FieldFromJson::Set(std::uint64_t& target) const {
  if (!value_.is_number_integer() ||
      (!value_.is_number_unsigned() && value_.get<std::int64_t>() < 0)) {
    Refuse("an integer >= 0");
  }
  target = value_.get<std::uint64_t>();
}

void FieldFromJson::Set(std::int64_t& target) const {
  if (!value_.is_number_integer()) Refuse("an integer");
  target = value_.get<std::int64_t>();
}

void FieldFromJson::Set(double& target) const { target = Number(value_); }

void FieldFromJson::Set(std::string& target) const {
  if (!value_.is_string()) Refuse("a text in quotes");
  target = value_.get<std::string>();
}

void FieldFromJson::Set(std::vector<double>& target) const {
  std::vector<double> list;
  if (value_.is_array()) {
    for (const Json& item : value_) list.push_back(Number(item));
  } else {
    list.push_back(Number(value_));
  }
  target = std::move(list);
}

}  // namespace alcedo
