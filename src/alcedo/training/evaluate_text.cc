// Evaluations as text, JSON and CSV.
#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/escape.h"
#include "alcedo/io/csv.h"
#include "alcedo/training/evaluate.h"

namespace alcedo {
namespace {

using internal::EscapeText;

}  // namespace

std::string EvaluationText(const Evaluation& evaluation) {
  std::string text =
      fmt::format("{}: {} {} of {} {}\n", EscapeText(evaluation.dataset), evaluation.images,
                  evaluation.images == 1 ? "image" : "images", evaluation.classes.size(),
                  evaluation.classes.size() == 1 ? "class" : "classes");
  if (evaluation.trained_on > 0) {
    text += fmt::format(
        "{} of these images {} among those that the model was trained on; on new ones it will do "
        "worse.\nA folder that is split as it was for training leaves them out.\n",
        evaluation.trained_on == evaluation.images ? "all" : std::to_string(evaluation.trained_on),
        evaluation.trained_on == 1 ? "is" : "are");
  }
  std::size_t width = 0;
  for (const Measure& m : evaluation.measures) width = std::max(width, m.title.size());
  for (const Measure& m : evaluation.measures) {
    text += fmt::format("{:<{}}  {:5.1f}%", m.title, width, 100 * m.value);
    // Of a mean average precision that no resample moves there is no interval, which is not the
    // same as one without width.
    text += m.interval.low < m.interval.high
                ? fmt::format("  ({:.1f} to {:.1f})\n", 100 * m.interval.low, 100 * m.interval.high)
                : "\n";
  }
  width = 5;
  for (const ClassResult& c : evaluation.classes) {
    width = std::max(width, EscapeText(c.name).size());
  }
  text += evaluation.multi_label
              ? fmt::format("\n{:<{}}  images  11 points    area\n", "class", width)
              : fmt::format("\n{:<{}}  images   top-1\n", "class", width);
  for (const ClassResult& c : evaluation.classes) {
    text += fmt::format("{:<{}}  {:>6}  ", EscapeText(c.name), width, c.images);
    text += evaluation.multi_label
                ? fmt::format("{:>8.1f}%  {:5.1f}%\n", 100 * c.value, 100 * c.area)
                : fmt::format("{:5.1f}%\n", 100 * c.value);
  }
  if (!evaluation.confused.empty()) text += "\nmost often confused\n";
  for (const ConfusedPair& pair : evaluation.confused) {
    text += fmt::format("{:>6}  {} taken for {}\n", pair.images,
                        EscapeText(evaluation.names[static_cast<std::size_t>(pair.truth)]),
                        EscapeText(evaluation.names[static_cast<std::size_t>(pair.predicted)]));
  }
  return text;
}

Json EvaluationJson(const Evaluation& evaluation) {
  Json json{{"dataset", EscapeText(evaluation.dataset)},
            {"images", evaluation.images},
            {"trained_on", evaluation.trained_on},
            {"multi_label", evaluation.multi_label}};
  for (const Measure& m : evaluation.measures) {
    json["measures"][m.name] = {
        {"value", m.value}, {"low", m.interval.low}, {"high", m.interval.high}};
  }
  json["classes"] = Json::array();
  for (const ClassResult& c : evaluation.classes) {
    Json entry{{"name", EscapeText(c.name)}, {"images", c.images}};
    if (evaluation.multi_label) {
      entry["ap_voc11"] = c.value;
      entry["ap_area"] = c.area;
    } else {
      entry["top1"] = c.value;
    }
    json["classes"].push_back(std::move(entry));
  }
  if (!evaluation.multi_label) {
    Json names = Json::array(), counts = Json::array(), confused = Json::array();
    for (const std::string& name : evaluation.names) names.push_back(EscapeText(name));
    for (Index r = 0; r < evaluation.confusion.rows(); ++r) {
      Json row = Json::array();
      for (Index c = 0; c < evaluation.confusion.cols(); ++c) {
        row.push_back(evaluation.confusion(r, c));
      }
      counts.push_back(std::move(row));
    }
    for (const ConfusedPair& pair : evaluation.confused) {
      confused.push_back({{"class", names[static_cast<std::size_t>(pair.truth)]},
                          {"taken_for", names[static_cast<std::size_t>(pair.predicted)]},
                          {"images", pair.images}});
    }
    json["most_confused"] = std::move(confused);
    json["confusion"] = {{"classes", std::move(names)}, {"counts", std::move(counts)}};
  }
  json["failures"] = Json::array();
  for (const Failure& failure : evaluation.failures) {
    json["failures"].push_back(
        {{"name", EscapeText(failure.name)}, {"reason", EscapeText(failure.reason)}});
  }
  json["notes"] = Json::array();
  for (const std::string& note : evaluation.notes) json["notes"].push_back(EscapeText(note));
  return json;
}

std::string ConfusionCsv(const Evaluation& evaluation) {
  std::string text;
  std::vector<std::string> names{"class"};
  for (const std::string& name : evaluation.names) names.push_back(EscapeText(name));
  internal::AppendCsvRecord(text, names);
  for (Index r = 0; r < evaluation.confusion.rows(); ++r) {
    std::vector<std::string> fields{names[static_cast<std::size_t>(r) + 1]};
    for (Index c = 0; c < evaluation.confusion.cols(); ++c) {
      fields.push_back(std::to_string(evaluation.confusion(r, c)));
    }
    internal::AppendCsvRecord(text, fields);
  }
  return text;
}

}  // namespace alcedo
