#include "alcedo/report/results.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/report/results_fields.h"
#include "alcedo/io/csv.h"
#include "alcedo/config/field_json.h"

namespace alcedo {
namespace {

constexpr std::string_view kFormat = "alcedo results";
constexpr int kFormatVersion = 1;

struct AnyVisitor {
  template <class T>
  void operator()(std::string_view, T&) const {}
};

template <class T>
concept Listed = requires(T& value) { internal::VisitFields(value, AnyVisitor{}); };

Json Write(const Json& value) { return value; }
Json Write(const std::string& value) { return value; }
Json Write(double value) { return JsonNumber(value); }
template <std::integral T>
Json Write(T value) {
  return value;
}
Json Write(const std::optional<double>& value) { return value ? JsonNumber(*value) : Json(); }

Json Write(const std::map<std::string, double>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = JsonNumber(value);
  return json;
}

// Declared first: a list's fields may be structs, and a struct's fields lists.
template <class T>
Json Write(const std::vector<T>& values);

template <Listed T>
Json Write(const T& value) {
  Json json = Json::object();
  internal::VisitFields(
      value, [&](std::string_view name, const auto& field) { json[name] = Write(field); });
  return json;
}

template <class T>
Json Write(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(Write(value));
  return json;
}

// Reads what Write wrote. `path` stands for the value in messages: "results.json: cells[3].low".
class Reader {
 public:
  Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  void Read(Json& target) const { target = json_; }
  void Read(std::string& target) const {
    if (!json_.is_string()) Refuse("a text");
    target = json_.get<std::string>();
  }
  void Read(bool& target) const {
    if (!json_.is_boolean()) Refuse("true or false");
    target = json_.get<bool>();
  }
  void Read(double& target) const {
    if (json_.is_number()) {
      target = json_.get<double>();
    } else if (json_ == "nan") {
      target = std::numeric_limits<double>::quiet_NaN();
    } else if (json_ == "inf" || json_ == "-inf") {
      target = json_ == "inf" ? std::numeric_limits<double>::infinity()
                              : -std::numeric_limits<double>::infinity();
    } else {
      Refuse("a number");
    }
  }
  template <std::integral T>
  void Read(T& target) const {
    const bool negative = json_.is_number_integer() && !json_.is_number_unsigned();
    if (!json_.is_number_integer() || (negative && !std::in_range<T>(json_.get<std::int64_t>())) ||
        (!negative && !std::in_range<T>(json_.get<std::uint64_t>()))) {
      Refuse(std::unsigned_integral<T> ? "an integer >= 0" : "an integer");
    }
    target = json_.get<T>();
  }
  void Read(std::optional<double>& target) const {
    target.reset();
    if (!json_.is_null()) Read(target.emplace());
  }
  void Read(std::map<std::string, double>& target) const {
    if (!json_.is_object()) Refuse("an object");
    target.clear();
    for (const auto& [name, value] : json_.items()) {
      Reader(value, path_ + "." + name).Read(target[name]);
    }
  }
  template <class T>
  void Read(std::vector<T>& target) const {
    if (!json_.is_array()) Refuse("a list");
    target.assign(json_.size(), T());
    for (std::size_t i = 0; i < json_.size(); ++i) {
      Reader(json_[i], fmt::format("{}[{}]", path_, i)).Read(target[i]);
    }
  }
  template <Listed T>
  void Read(T& target) const {
    if (!json_.is_object()) Refuse("an object");
    internal::VisitFields(target, [&](std::string_view name, auto& field) {
      const std::string path = fmt::format("{}{}{}", path_, path_.ends_with(' ') ? "" : ".", name);
      const auto found = json_.find(name);
      if (found == json_.end()) throw FormatError(path + " is missing");
      Reader(*found, path).Read(field);
    });
  }

 private:
  [[noreturn]] void Refuse(std::string_view rule) const {
    std::string value = Dump(json_);
    if (value.size() > 60) value = value.substr(0, 57) + "...";
    throw FormatError(fmt::format("{} must be {}, got {}", path_, rule, value));
  }

  const Json& json_;
  std::string path_;
};

std::string CsvField(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string CsvField(const std::optional<double>& value) { return value ? CsvField(*value) : ""; }
template <class T>
std::string CsvField(const T& value) {
  const Json json = Write(value);
  if (json.is_null()) return "";
  const std::string text = Dump(json);
  // Parsed again: that is where bytes that are no UTF-8 were replaced.
  return json.is_string() ? Json::parse(text).template get<std::string>() : text;
}

}  // namespace

Json ToJson(const Results& results) {
  Json json = {{"format", kFormat}, {"format_version", kFormatVersion}};
  json.update(Write(results));
  return json;
}

Results ResultsFromJson(const Json& json, const std::string& name) {
  if (!json.is_object() || json.value("format", Json()) != kFormat) {
    throw FormatError(fmt::format("{} has no \"format\": \"{}\"", name, kFormat));
  }
  if (json.value("format_version", Json()) != kFormatVersion) {
    throw FormatError(fmt::format("{}: format_version must be {}, got {}", name, kFormatVersion,
                                  json.value("format_version", Json()).dump()));
  }
  Results results;
  Reader(json, name + ": ").Read(results);
  return results;
}

std::string CellsCsv(const Results& results) {
  std::string out;
  std::vector<std::string> fields;
  const Cell names;
  internal::VisitFields(names,
                        [&](std::string_view name, const auto&) { fields.emplace_back(name); });
  internal::AppendCsvRecord(out, fields);
  for (const Cell& cell : results.cells) {
    fields.clear();
    internal::VisitFields(
        cell, [&](std::string_view, const auto& field) { fields.push_back(CsvField(field)); });
    internal::AppendCsvRecord(out, fields);
  }
  return out;
}

}  // namespace alcedo
