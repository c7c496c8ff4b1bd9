// Scores as probabilities: p = 1 / (1 + exp(a score + b)), a and b of every class from scores of
// samples that the class was not trained on.
#pragma once

#include <span>

#include "alcedo/base/types.h"
#include "alcedo/classifier/linear_svm.h"

namespace alcedo {

struct PlattScaling {
  Vector a, b;  // one each per class
};

// Maximum likelihood by Newton's method, with the targets (n+ + 1) / (n+ + 2) and 1 / (n- + 2) in
// place of 1 and 0 (Platt 1999; Lin, Lin and Weng 2007). Scores are samples x classes and finite;
// samples of target 0 are left out. Always finite: a class of one side has a = 0 if scores are
// equal, and one without samples gives 1/2.
PlattScaling FitPlatt(const Matrix& scores, const Targets& targets);

// Samples x classes, in [0, 1]; never overflows. Requires finite scores.
Matrix Probabilities(const PlattScaling& scaling, const Matrix& scores);

// The scores of every sample by the SVMs trained without its fold: samples x classes. Requires
// what TrainGramSvm does, and samples of at least two folds; folds are any numbers.
Matrix CrossValidatedScores(const RowsView& gram, const Targets& targets,
                            std::span<const int> fold_of_sample, const SvmOptions& options);

}  // namespace alcedo
