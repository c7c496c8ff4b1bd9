#include "alcedo/classifier/platt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/svm_problem.h"

namespace alcedo {
namespace {

struct Sample {
  double score, target;
};
struct Line {
  double a, b;
};

void CheckScores(const Matrix& scores) {
  for (Index i = 0; i < scores.rows(); ++i) {
    if (scores.row(i).allFinite()) continue;
    throw InvalidArgument(fmt::format("scores: row {} has a value that is not finite", i));
  }
}

// -log likelihood; log(1 + exp(z)) in the form that does not overflow.
double Loss(const std::vector<Sample>& samples, const Line& line) {
  double sum = 0;
  for (const Sample& s : samples) {
    const double z = line.a * s.score + line.b;
    sum += (z >= 0 ? s.target * z : (s.target - 1) * z) + std::log1p(std::exp(-std::abs(z)));
  }
  return sum;
}

double Probability(double z) {
  return z >= 0 ? std::exp(-z) / (1 + std::exp(-z)) : 1 / (1 + std::exp(z));
}

// Newton's method with backtracking, as in the pseudo code of Lin, Lin and Weng.
Line FitLine(const std::vector<Sample>& samples, Line line) {
  constexpr int kMostIterations = 100;
  constexpr double kLeastStep = 1e-10, kRidge = 1e-12, kGradient = 1e-9;
  double loss = Loss(samples, line);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    double aa = kRidge, bb = kRidge, ab = 0, ga = 0, gb = 0;
    for (const Sample& s : samples) {
      const double p = Probability(line.a * s.score + line.b);
      const double curvature = p * (1 - p), error = s.target - p;
      aa += s.score * s.score * curvature;
      bb += curvature;
      ab += s.score * curvature;
      ga += s.score * error;
      gb += error;
    }
    if (std::abs(ga) < kGradient && std::abs(gb) < kGradient) break;
    const double determinant = aa * bb - ab * ab;
    const double da = -(bb * ga - ab * gb) / determinant;
    const double db = -(aa * gb - ab * ga) / determinant;
    const double slope = ga * da + gb * db;
    double step = 1;
    for (; step >= kLeastStep; step /= 2) {
      const Line next{line.a + step * da, line.b + step * db};
      const double next_loss = Loss(samples, next);
      if (!(next_loss < loss + 1e-4 * step * slope)) continue;
      line = next;
      loss = next_loss;
      break;
    }
    if (step < kLeastStep) break;
  }
  return line;
}

}  // namespace

PlattScaling FitPlatt(const Matrix& scores, const Targets& targets) {
  const Index classes = targets.rows();
  if (scores.cols() != classes) {
    throw InvalidArgument(fmt::format(
        "scores must have a column for each of the {} classes, got {}", classes, scores.cols()));
  }
  CheckTargets(targets, scores.rows());
  CheckScores(scores);
  PlattScaling scaling{Vector::Zero(classes), Vector::Zero(classes)};
  for (Index c = 0; c < classes; ++c) {
    const auto positive = static_cast<double>((targets.row(c).array() > 0).count());
    const auto negative = static_cast<double>((targets.row(c).array() < 0).count());
    // Scores of about 1: the constants of the method are absolute. A score is squared there.
    double scale = scores.rows() > 0 ? scores.col(c).cwiseAbs().maxCoeff() : 0;
    if (scale < 1e-290) scale = 1;
    std::vector<Sample> samples;
    for (Index i = 0; i < scores.rows(); ++i) {
      if (targets(c, i) == 0) continue;
      const double target =
          targets(c, i) > 0 ? (positive + 1) / (positive + 2) : 1 / (negative + 2);
      samples.push_back({scores(i, c) / scale, target});
    }
    const Line line = FitLine(samples, {0, std::log((negative + 1) / (positive + 1))});
    scaling.a[c] = line.a / scale;
    scaling.b[c] = line.b;
  }
  return scaling;
}

Matrix Probabilities(const PlattScaling& scaling, const Matrix& scores) {
  if (scores.cols() != scaling.a.size() || scaling.a.size() != scaling.b.size()) {
    throw InvalidArgument(
        fmt::format("scores must have a column for each of the {} classes, got {}",
                    scaling.a.size(), scores.cols()));
  }
  CheckScores(scores);
  Matrix probabilities(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index c = 0; c < scores.cols(); ++c) {
      probabilities(i, c) = Probability(scaling.a[c] * scores(i, c) + scaling.b[c]);
    }
  }
  return probabilities;
}

Matrix CrossValidatedScores(const RowsView& gram, const Targets& targets,
                            std::span<const int> fold_of_sample, const SvmOptions& options) {
  const auto n = static_cast<Index>(fold_of_sample.size());
  if (n != gram.rows()) {
    throw InvalidArgument(
        fmt::format("there must be a fold for each of the {} samples, got {}", gram.rows(), n));
  }
  const std::set<int> folds(fold_of_sample.begin(), fold_of_sample.end());
  Require(folds.size() >= 2, "number of folds", ">= 2", static_cast<double>(folds.size()));
  Matrix scores(n, targets.rows());
  for (const int fold : folds) {
    // Left out by targets of 0, the matrix need not be copied.
    Targets others = targets;
    std::vector<Index> held;
    for (Index i = 0; i < n; ++i) {
      if (fold_of_sample[i] == fold) held.push_back(i);
    }
    CheckTargets(targets, n);
    for (const Index i : held) others.col(i).setZero();
    const KernelModel model = TrainGramSvm(gram, others, options);
    scores(held, Eigen::all) = Scores(model, gram(held, Eigen::all), options.threads);
  }
  return scores;
}

}  // namespace alcedo
