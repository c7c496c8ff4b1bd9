// Option fields (base/options.h) to and from JSON.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/options.h"
#include "alcedo/base/text.h"

namespace alcedo {

using Json = nlohmann::ordered_json;

// As text. Strings may hold any bytes; those that are not UTF-8 are replaced.
std::string Dump(const Json& json, int indent = -1);

// A number, or the string "inf", "-inf" or "nan": JSON has no such numbers, and null would hide
// them.
Json JsonNumber(double value);

// A visitor that puts every field it sees into an object.
struct FieldsToJson {
  Json& json;

  void operator()(std::string_view field, double& value, std::string_view) const {
    json[std::string(field)] = JsonNumber(value);
  }
  void operator()(std::string_view field, std::vector<double>& value, std::string_view) const {
    Json& list = json[std::string(field)] = Json::array();
    for (const double v : value) list.push_back(JsonNumber(v));
  }
  template <NamedEnum E>
  void operator()(std::string_view field, E& value, std::string_view) const {
    json[std::string(field)] = Name(value);
  }
  template <AnyChoice C>
  void operator()(std::string_view field, C& value, std::string_view) const {
    json[std::string(field)] = value.name();
  }
  template <class T>
  void operator()(std::string_view field, T& value, std::string_view) const {
    json[std::string(field)] = value;
  }
};

// A visitor that sets the field `name` from `value` when it comes by, and collects the names of
// all others for a hint. `path` stands for the field in messages: "config.toml: grid.step".
class FieldFromJson {
 public:
  FieldFromJson(std::string name, const Json& value, std::string path)
      : name_(std::move(name)), value_(value), path_(std::move(path)) {}

  template <class T>
  void operator()(std::string_view field, T& target, std::string_view) {
    names_.emplace_back(field);
    if (field != name_) return;
    found_ = true;
    Set(target);
  }

  bool found() const { return found_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void Set(bool& target) const;
  void Set(int& target) const;
  void Set(std::uint64_t& target) const;
  void Set(std::int64_t& target) const;
  void Set(double& target) const;
  void Set(std::string& target) const;
  void Set(std::vector<double>& target) const;
  template <NamedEnum E>
  void Set(E& target) const {
    std::string text;
    Set(text);
    target = ParseEnum<E>(path_, text);
  }
  template <AnyChoice C>
  void Set(C& target) const {
    std::string text;
    Set(text);
    ChooseByName(target, path_, text);
  }
  [[noreturn]] void Refuse(std::string_view rule) const;
  double Number(const Json& value) const;

  std::string name_;
  const Json& value_;
  std::string path_;
  std::vector<std::string> names_;
  bool found_ = false;
};

}  // namespace alcedo
