// What is to be learned: labels or targets of the images, how candidates are judged, and by which
// images.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/evaluation/average_precision.h"
#include "alcedo/learn/learn.h"

namespace alcedo {

// Of some images, in an order of their own.
struct Truth {
  int classes = 0;
  bool multi_label = false;
  std::vector<int> labels;  // single-label sets
  TargetMatrix targets;     // images x classes
};
Truth TruthOf(const Dataset& dataset, std::span<const Index> images);
Truth Part(const Truth& truth, std::span<const Index> rows);

// The measure that candidates are chosen by and cells have: "top1-classes", for multi-label sets
// "map-voc11".
std::string MetricOf(bool multi_label);

// By MetricOf(), in percent.
double Quality(const Matrix& scores, const Truth& truth);

// Images to train on and to judge by: numbers of rows of the training vectors.
struct Fold {
  std::vector<Index> train, held_out;
};
// The validation split if there is one, else `folds` folds (fewer if there are fewer images), each
// with as many of every class as possible. InvalidArgument if nothing is left to train or to
// validate on.
std::vector<Fold> MakeFolds(const Dataset& dataset, std::span<const Index> images, int folds,
                            std::uint64_t seed);

// The images of a dataset with these numbers.
std::vector<Input> InputsOf(const Dataset& dataset, std::span<const Index> images);

// Several vocabularies in one reading of the images. `run` is that of the larger step.
std::vector<LearnResult> LearnIn(const Dataset& dataset, std::span<const Index> images,
                                 const std::vector<LearnTask>& tasks, const Run& run);

}  // namespace alcedo
