#include "alcedo/report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/config/field_json.h"
#include "alcedo/io/csv.h"
#include "alcedo/report/decisions.h"

namespace alcedo::report {
namespace {

constexpr std::string_view kFormat = "alcedo results";
constexpr int kFormatVersion = 1;

// The one list of every struct's fields: files are written, read and put into columns by it.
//
// T, or const T: one list for writers and for readers.
template <class Maybe, class T>
concept MaybeConst = std::same_as<std::remove_const_t<Maybe>, T>;

template <MaybeConst<Cell> T, class Visitor>
void VisitFields(T& cell, Visitor&& visit) {
  visit("dataset", cell.dataset);
  visit("table", cell.table);
  visit("encoder", cell.encoder);
  visit("gaussians", cell.gaussians);
  visit("descriptor", cell.descriptor);
  visit("method", cell.method);
  visit("metric", cell.metric);
  visit("value", cell.value);
  visit("low", cell.low);
  visit("high", cell.high);
  visit("paper", cell.paper);
  visit("seeds", cell.seeds);
  visit("other", cell.other);
  visit("chosen", cell.chosen);
  visit("unconverged", cell.unconverged);
}

template <MaybeConst<Curve::Point> T, class Visitor>
void VisitFields(T& point, Visitor&& visit) {
  visit("x", point.x);
  visit("y", point.y);
}

template <MaybeConst<Curve> T, class Visitor>
void VisitFields(T& curve, Visitor&& visit) {
  visit("dataset", curve.dataset);
  visit("encoder", curve.encoder);
  visit("gaussians", curve.gaussians);
  visit("descriptor", curve.descriptor);
  visit("method", curve.method);
  visit("parameter", curve.parameter);
  visit("metric", curve.metric);
  visit("points", curve.points);
  visit("baseline", curve.baseline);
}

template <MaybeConst<Comparison> T, class Visitor>
void VisitFields(T& comparison, Visitor&& visit) {
  visit("dataset", comparison.dataset);
  visit("encoder", comparison.encoder);
  visit("gaussians", comparison.gaussians);
  visit("descriptor", comparison.descriptor);
  visit("method", comparison.method);
  visit("baseline", comparison.baseline);
  visit("metric", comparison.metric);
  visit("difference", comparison.difference);
  visit("low", comparison.low);
  visit("high", comparison.high);
  visit("p", comparison.p);
  visit("seeds", comparison.seeds);
  visit("differences", comparison.differences);
  visit("corrected_p", comparison.corrected_p);
  visit("verdict", comparison.verdict);
}

template <MaybeConst<ClassGains> T, class Visitor>
void VisitFields(T& gains, Visitor&& visit) {
  visit("dataset", gains.dataset);
  visit("encoder", gains.encoder);
  visit("gaussians", gains.gaussians);
  visit("descriptor", gains.descriptor);
  visit("method", gains.method);
  visit("baseline", gains.baseline);
  visit("metric", gains.metric);
  visit("classes", gains.classes);
  visit("method_values", gains.method_values);
  visit("baseline_values", gains.baseline_values);
}

template <MaybeConst<Confusion> T, class Visitor>
void VisitFields(T& confusion, Visitor&& visit) {
  visit("dataset", confusion.dataset);
  visit("encoder", confusion.encoder);
  visit("gaussians", confusion.gaussians);
  visit("descriptor", confusion.descriptor);
  visit("method", confusion.method);
  visit("classes", confusion.classes);
  visit("counts", confusion.counts);
}

template <MaybeConst<CheckResult> T, class Visitor>
void VisitFields(T& check, Visitor&& visit) {
  visit("dataset", check.dataset);
  visit("what", check.what);
  visit("deviation", check.deviation);
  visit("tolerance", check.tolerance);
  visit("images", check.images);
  visit("holds", check.holds);
}

template <MaybeConst<Timing> T, class Visitor>
void VisitFields(T& timing, Visitor&& visit) {
  visit("dataset", timing.dataset);
  visit("stage", timing.stage);
  visit("seconds", timing.seconds);
  visit("cpu_seconds", timing.cpu_seconds);
  visit("images", timing.images);
}

template <MaybeConst<Failure> T, class Visitor>
void VisitFields(T& failure, Visitor&& visit) {
  visit("name", failure.name);
  visit("reason", failure.reason);
}

template <MaybeConst<DatasetSummary> T, class Visitor>
void VisitFields(T& dataset, Visitor&& visit) {
  visit("name", dataset.name);
  visit("title", dataset.title);
  visit("classes", dataset.classes);
  visit("train", dataset.train);
  visit("validation", dataset.validation);
  visit("test", dataset.test);
  visit("notes", dataset.notes);
  visit("failures", dataset.failures);
  visit("hashes", dataset.hashes);
  visit("labels", dataset.labels);
}

template <MaybeConst<Predictions> T, class Visitor>
void VisitFields(T& predictions, Visitor&& visit) {
  visit("dataset", predictions.dataset);
  visit("table", predictions.table);
  visit("encoder", predictions.encoder);
  visit("gaussians", predictions.gaussians);
  visit("descriptor", predictions.descriptor);
  visit("method", predictions.method);
  visit("seeds", predictions.seeds);
}

template <MaybeConst<Results> T, class Visitor>
void VisitFields(T& results, Visitor&& visit) {
  visit("version", results.version);
  visit("commit", results.commit);
  visit("processor", results.processor);
  visit("peak_memory", results.peak_memory);
  visit("config", results.config);
  visit("seeds", results.seeds);
  visit("lite", results.lite);
  visit("complete", results.complete);
  visit("datasets", results.datasets);
  visit("cells", results.cells);
  visit("curves", results.curves);
  visit("comparisons", results.comparisons);
  visit("gains", results.gains);
  visit("confusions", results.confusions);
  visit("checks", results.checks);
  visit("timings", results.timings);
  visit("predictions", results.predictions);
}

struct AnyVisitor {
  template <class T>
  void operator()(std::string_view, T&) const {}
};

template <class T>
concept Listed = requires(T& value) { VisitFields(value, AnyVisitor{}); };

Json Write(const Json& value) { return value; }
Json Write(const std::string& value) { return value; }
Json Write(double value) { return JsonNumber(value); }
template <std::integral T>
Json Write(T value) {
  return value;
}
template <NamedEnum E>
Json Write(E value) {
  return Name(value);
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
  VisitFields(value, [&](std::string_view name, const auto& field) { json[name] = Write(field); });
  return json;
}

template <class T>
Json Write(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(Write(value));
  return json;
}

// Fields that older versions did not write.
constexpr std::array<std::string_view, 4> kVerdictFields = {"seeds", "differences", "corrected_p",
                                                            "verdict"};
constexpr std::array<std::string_view, 7> kOtherFields = {
    "commit", "processor", "peak_memory", "unconverged", "hashes", "labels", "predictions"};

template <class T>
bool MayBeMissing(std::string_view name) {
  return std::ranges::count(kOtherFields, name) > 0 ||
         (std::same_as<T, Comparison> && std::ranges::count(kVerdictFields, name) > 0);
}

bool WithVerdict(const Json& comparison) {
  return std::ranges::all_of(kVerdictFields,
                             [&](std::string_view name) { return comparison.contains(name); });
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
  template <NamedEnum E>
  void Read(E& target) const {
    for (const auto& [value, name] : EnumNames<E>::values) {
      if (json_ != name) continue;
      target = value;
      return;
    }
    Refuse(NameList<E>());
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
    VisitFields(target, [&](std::string_view name, auto& field) {
      const std::string path = fmt::format("{}{}{}", path_, path_.ends_with(' ') ? "" : ".", name);
      const auto found = json_.find(name);
      if (found == json_.end() && MayBeMissing<T>(name)) return;
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
  // Parsed again: bytes that are not UTF-8 have been replaced in the text.
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
    throw FormatError(name, fmt::format("format_version must be {}, got {}", kFormatVersion,
                                        json.value("format_version", Json()).dump()));
  }
  Results results;
  Reader(json, name + ": ").Read(results);
  const Json& comparisons = json.at("comparisons");
  if (std::ranges::all_of(comparisons, WithVerdict)) return results;
  for (Comparison& comparison : results.comparisons) {
    comparison.seeds = 1;
    comparison.differences = {comparison.difference};
  }
  Decide(results);
  return results;
}

std::string CellsCsv(const Results& results) {
  std::string out;
  std::vector<std::string> fields;
  const Cell names;
  VisitFields(names, [&](std::string_view name, const auto&) { fields.emplace_back(name); });
  internal::AppendCsvRecord(out, fields);
  for (const Cell& cell : results.cells) {
    fields.clear();
    VisitFields(cell,
                [&](std::string_view, const auto& field) { fields.push_back(CsvField(field)); });
    internal::AppendCsvRecord(out, fields);
  }
  return out;
}

}  // namespace alcedo::report
