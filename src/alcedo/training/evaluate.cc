#include "alcedo/training/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/base/text.h"
#include "alcedo/base/types.h"
#include "alcedo/base/utf8.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/csv.h"

namespace alcedo {
namespace {

constexpr std::size_t kConfusedPairs = 10;

// Of every class of the dataset the number that the model has for it, or -1.
std::vector<int> MatchClasses(const Model& model, const Dataset& dataset,
                              std::vector<std::string>& notes) {
  std::map<std::string, int> numbers;
  for (const std::string& name : model.classes) {
    numbers.emplace(name, static_cast<int>(numbers.size()));
  }
  std::vector<int> match;
  std::vector<std::string> unknown;
  for (const std::string& name : dataset.classes) {
    const auto found = numbers.find(name);
    match.push_back(found == numbers.end() ? -1 : found->second);
    if (found == numbers.end()) unknown.push_back(name);
  }
  if (unknown.size() == dataset.classes.size()) {
    throw InvalidArgument(
        fmt::format("the model has none of the classes of {}: it has {}, the images {}",
                    dataset.root.string(), FirstOf(model.classes), FirstOf(unknown)));
  }
  if (!unknown.empty()) {
    const char* verb = unknown.size() == 1 ? "is" : "are";
    notes.push_back(fmt::format("{0} of {1} classes {2} not in the model and {2} left out: {3}",
                                unknown.size(), dataset.classes.size(), verb, FirstOf(unknown)));
  }
  const std::set<std::string> there(dataset.classes.begin(), dataset.classes.end());
  std::vector<std::string> absent;
  std::ranges::copy_if(model.classes, std::back_inserter(absent),
                       [&](const std::string& name) { return !there.contains(name); });
  if (!absent.empty()) {
    notes.push_back(fmt::format("{} of {} classes of the model {} not in the data: {}",
                                absent.size(), model.classes.size(),
                                absent.size() == 1 ? "is" : "are", FirstOf(absent)));
  }
  return match;
}

void JudgeLabels(const std::vector<int>& predicted, const std::vector<int>& labels,
                 const BootstrapOptions& bootstrap, Evaluation& result) {
  const auto classes = static_cast<int>(result.names.size());
  const TopOne top = TopOneAccuracy(predicted, labels, classes);
  result.measures = {{"top1-images", "top-1, all images", top.over_images,
                      BootstrapTopOne(predicted, labels, classes, false, bootstrap)},
                     {"top1-classes", "top-1, mean over classes", top.over_classes,
                      BootstrapTopOne(predicted, labels, classes, true, bootstrap)}};
  const std::vector<std::int64_t> counts = ImagesPerClass(labels, classes);
  const std::vector<double> accuracies = PerClassAccuracy(predicted, labels, classes);
  result.confusion = ConfusionMatrix(predicted, labels, classes);
  for (int truth = 0; truth < classes; ++truth) {
    const auto c = static_cast<std::size_t>(truth);
    if (counts[c] > 0) result.classes.push_back({result.names[c], counts[c], accuracies[c], 0});
    for (int other = 0; other < classes; ++other) {
      const std::int64_t images = result.confusion(truth, other);
      if (other != truth && images > 0) result.confused.push_back({truth, other, images});
    }
  }
  std::ranges::stable_sort(result.confused, std::ranges::greater{}, &ConfusedPair::images);
  result.confused.resize(std::min(result.confused.size(), kConfusedPairs));
}

// Scores and targets are those of `classes`.
void JudgeTargets(const Matrix& scores, const TargetMatrix& targets,
                  const std::vector<int>& classes, const BootstrapOptions& bootstrap,
                  Evaluation& result) {
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    result.measures.push_back({fmt::format("map-{}", Name(rule)),
                               rule == ApRule::kVoc11 ? "mean average precision, 11 points"
                                                      : "mean average precision, area",
                               MeanAveragePrecision(scores, targets, rule),
                               BootstrapMap(scores, targets, rule, bootstrap)});
  }
  const Vector voc11 = AveragePrecisions(scores, targets, ApRule::kVoc11);
  const Vector area = AveragePrecisions(scores, targets, ApRule::kArea);
  for (Index i = 0; i < scores.cols(); ++i) {
    const std::int64_t positives = (targets.col(i).array() == std::int8_t{1}).count();
    if (positives == 0) continue;
    const auto name = static_cast<std::size_t>(classes[static_cast<std::size_t>(i)]);
    result.classes.push_back({result.names[name], positives, voc11[i], area[i]});
  }
}

// An image that could be read, and what the model says of it.
struct Judged {
  const DatasetImage* image;
  int predicted;
  Vector scores;  // of multi-label sets
};

std::vector<Judged> PredictAll(const Predictor& predictor,
                               const std::vector<const DatasetImage*>& images, bool split_by_chance,
                               const Run& run, Evaluation& result) {
  std::vector<Input> inputs;
  for (const DatasetImage* image : images) inputs.push_back({image->path.string(), image->name});
  Progress progress{"classifying", 0, std::ssize(inputs), 0, "images"};
  const std::vector<std::int64_t>& known = predictor.model.training.pictures;
  std::vector<Judged> judged;
  bool only_test_images = true;  // among those that it was trained on
  PredictImages(predictor, inputs, run, progress, [&](Index number, const Prediction& prediction) {
    const DatasetImage* image = images[static_cast<std::size_t>(number)];
    if (!prediction.failure.empty()) {
      result.failures.push_back({image->name, prediction.failure});
      return;
    }
    if (std::ranges::binary_search(known, ShortHashOf(prediction.hash))) {
      ++result.trained_on;
      only_test_images = only_test_images && image->split == Split::kTest;
    }
    judged.push_back(
        {image, RankedClasses(prediction)[0], result.multi_label ? prediction.scores : Vector()});
  });
  if (result.trained_on > 0) {
    result.trained_on_advice =
        split_by_chance ? "A folder that is split as it was for training leaves them out."
        : only_test_images
            ? "The same files are in what it was trained on: take them out of one of the two."
            : "The test split of this dataset is the one to judge by.";
  }
  if (judged.empty()) {
    throw InvalidArgument(fmt::format("no image could be read; the first is {}: {}",
                                      result.failures[0].name, result.failures[0].reason));
  }
  return judged;
}

}  // namespace

Evaluation Evaluate(const Predictor& predictor, const Dataset& dataset,
                    std::span<const Index> images, const Run& run) {
  const Model& model = predictor.model;
  if (model.multi_label != dataset.multi_label) {
    throw InvalidArgument(fmt::format("the model gives {} per image, but images of {} have {} each",
                                      model.multi_label ? "several classes" : "one class",
                                      dataset.root.string(),
                                      dataset.multi_label ? "several classes" : "one class"));
  }
  Evaluation result;
  result.multi_label = model.multi_label;
  result.dataset = dataset.title;
  result.names = model.classes;
  const std::vector<int> match = MatchClasses(model, dataset, result.notes);
  std::vector<const DatasetImage*> known;  // of classes that the model has
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    if (dataset.multi_label || match[static_cast<std::size_t>(image.label)] >= 0) {
      known.push_back(&image);
    }
  }
  if (known.empty()) throw InvalidArgument("none of these images has a class of the model");
  const std::vector<Judged> judged =
      PredictAll(predictor, known, dataset.split_by_chance, run, result);
  result.images = std::ssize(judged);
  result.failures.insert(result.failures.begin(), dataset.failures.begin(), dataset.failures.end());
  BootstrapOptions bootstrap;
  bootstrap.threads = run.threads;
  if (!dataset.multi_label) {
    std::vector<int> predicted, labels;
    for (const Judged& j : judged) {
      predicted.push_back(j.predicted);
      labels.push_back(match[static_cast<std::size_t>(j.image->label)]);
    }
    JudgeLabels(predicted, labels, bootstrap, result);
    return result;
  }
  std::vector<std::size_t> columns;  // classes that both have: of the dataset, and of the model
  std::vector<int> classes;
  for (std::size_t c = 0; c < match.size(); ++c) {
    if (match[c] < 0) continue;
    columns.push_back(c);
    classes.push_back(match[c]);
  }
  Matrix scores(std::ssize(judged), std::ssize(columns));
  TargetMatrix targets(scores.rows(), scores.cols());
  for (Index row = 0; row < scores.rows(); ++row) {
    const Judged& j = judged[static_cast<std::size_t>(row)];
    for (Index c = 0; c < scores.cols(); ++c) {
      const auto i = static_cast<std::size_t>(c);
      scores(row, c) = j.scores[classes[i]];
      targets(row, c) = j.image->targets[columns[i]];
    }
  }
  JudgeTargets(scores, targets, classes, bootstrap, result);
  return result;
}

// Evaluations as text, JSON and CSV.

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
        "worse.\n{}\n",
        evaluation.trained_on == evaluation.images ? "all" : std::to_string(evaluation.trained_on),
        evaluation.trained_on == 1 ? "is" : "are", evaluation.trained_on_advice);
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
