// How good a model is on images that it was not trained on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/config/config.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/evaluation/interval.h"
#include "alcedo/learn/learn.h"
#include "alcedo/training/predict.h"

namespace alcedo {

// A share in [0, 1] and its 95% interval, as BootstrapTopOne and BootstrapMap give it.
struct Measure {
  std::string name;   // "top1-images", "top1-classes", "map-voc11", "map-area"
  std::string title;  // "top-1, all images"
  double value = 0;
  Interval interval;
};

struct ClassResult {
  std::string name;
  std::int64_t images = 0;  // of the class
  double value = 0;         // accuracy, or average precision (11 points)
  double area = 0;          // average precision as an area; multi-label sets
};

struct ConfusedPair {
  int truth = 0, predicted = 0;
  std::int64_t images = 0;
};

struct Evaluation {
  bool multi_label = false;
  std::string dataset;
  std::int64_t images = 0;        // that were judged
  std::int64_t trained_on = 0;    // how many of them the model was trained on, byte for byte
  std::string trained_on_advice;  // a sentence: how to judge by others
  std::vector<Measure> measures;
  std::vector<ClassResult> classes;    // that have images, in the order of the model
  std::vector<std::string> names;      // of all classes of the model, as in the confusion matrix
  ConfusionCounts confusion;           // empty for multi-label sets
  std::vector<ConfusedPair> confused;  // ten at most, the most images first
  std::vector<Failure> failures;
  std::vector<std::string> notes;  // sentences: classes that only one side has, ...
};

// Classes are matched by name. Images of classes that the model does not have are left out and
// noted; InvalidArgument if there are no others, if no image could be read, and if one
// side has several classes per image and the other one.
//
// A prediction is the first of RankedClasses(); average precision ranks images by scores.
Evaluation Evaluate(const Predictor& predictor, const Dataset& dataset,
                    std::span<const Index> images, const Run& run);

// For people, for programs, and the confusion matrix as a table: a row per true class.
std::string EvaluationText(const Evaluation& evaluation);
Json EvaluationJson(const Evaluation& evaluation);
std::string ConfusionCsv(const Evaluation& evaluation);

}  // namespace alcedo
