// Problems, and liblinear's answers to them, for the tests of this folder.
#pragma once

#include <linear.h>

#include <cmath>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/linear_svm.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {

struct SvmProblem {
  Rows rows;
  std::vector<int> labels;
  Targets targets;
};

// Classes with means of their own, which noise and a mean of all make hard to tell apart.
inline SvmProblem MakeProblem(Index count, Index dimension, int classes, std::uint64_t seed,
                              double noise = 1.5) {
  Rng rng(seed);
  Rows means(classes, dimension);
  for (Index i = 0; i < means.size(); ++i) means.data()[i] = static_cast<float>(rng.Normal());
  SvmProblem problem{Rows(count, dimension), {}, {}};
  for (Index i = 0; i < count; ++i) {
    const auto label = static_cast<int>(rng.UniformIndex(classes));
    problem.labels.push_back(label);
    for (Index j = 0; j < dimension; ++j) {
      problem.rows(i, j) = means(label, j) + static_cast<float>(noise * rng.Normal() + 0.3);
    }
    problem.rows.row(i) *= 1.5F / std::sqrt(static_cast<float>(dimension));
  }
  problem.targets = OneVsRest(problem.labels, classes);
  return problem;
}

// liblinear's solution of one class, very tight: D weights and what the bias adds to a score.
inline Vector LiblinearWeights(const SvmProblem& problem, Index c, const SvmOptions& options,
                               double eps = 1e-9) {
  std::vector<std::vector<feature_node>> nodes;
  std::vector<feature_node*> starts;
  std::vector<double> y;
  double sides[2] = {0, 0};
  const Index dimension = problem.rows.cols();
  for (Index i = 0; i < problem.rows.rows(); ++i) {
    const int target = problem.targets(c, i);
    if (target == 0) continue;
    ++sides[target > 0];
    y.push_back(target);
    std::vector<feature_node> row;
    for (Index j = 0; j < dimension; ++j) {
      row.push_back({static_cast<int>(j) + 1, problem.rows(i, j)});
    }
    if (options.bias > 0) row.push_back({static_cast<int>(dimension) + 1, options.bias});
    row.push_back({-1, 0});
    nodes.push_back(std::move(row));
  }
  for (auto& row : nodes) starts.push_back(row.data());
  ::problem data{static_cast<int>(y.size()),
                 static_cast<int>(dimension) + (options.bias > 0 ? 1 : 0), y.data(), starts.data(),
                 options.bias > 0 ? options.bias : -1};
  parameter p{};
  p.solver_type = options.loss == SvmLoss::kHinge ? L2R_L1LOSS_SVC_DUAL : L2R_L2LOSS_SVC_DUAL;
  p.eps = eps;
  p.C = options.c;
  int weight_labels[2] = {-1, 1};
  double weights[2] = {(sides[0] + sides[1]) / (2 * sides[0]),
                       (sides[0] + sides[1]) / (2 * sides[1])};
  if (options.balanced) {
    p.nr_weight = 2;
    p.weight_label = weight_labels;
    p.weight = weights;
  }
  set_print_string_function([](const char*) {});
  model* trained = train(&data, &p);
  Vector result = Vector::Zero(dimension + 1);
  for (Index j = 0; j < data.n; ++j) result[j] = trained->w[j];
  result[dimension] *= options.bias;
  if (trained->label[0] == -1) result = -result;
  free_and_destroy_model(&trained);
  return result;
}

// The weights and bias of one class as one vector.
inline Vector Joined(const LinearModel& model, Index c) {
  Vector all(model.weights.cols() + 1);
  all << model.weights.row(c).transpose().cast<double>(), model.bias[c];
  return all;
}

inline double Cosine(const Vector& a, const Vector& b) { return a.dot(b) / a.norm() / b.norm(); }

// The primal objective of a class from its formula, at scores of all samples.
inline double NaivePrimal(const SvmProblem& problem, Index c, const SvmOptions& options,
                          const Vector& w) {
  const Index d = problem.rows.cols();
  double sides[2] = {0, 0}, sum = 0;
  for (Index i = 0; i < problem.rows.rows(); ++i) {
    if (problem.targets(c, i) != 0) ++sides[problem.targets(c, i) > 0];
  }
  for (Index i = 0; i < problem.rows.rows(); ++i) {
    const int y = problem.targets(c, i);
    if (y == 0) continue;
    const double score = w.head(d).dot(problem.rows.row(i).cast<double>()) + w[d];
    const double slack = std::max(0.0, 1 - y * score);
    const double cost =
        options.c * (options.balanced ? (sides[0] + sides[1]) / 2 / sides[y > 0] : 1);
    sum += cost * (options.loss == SvmLoss::kHinge ? slack : slack * slack);
  }
  const double bias = options.bias > 0 ? w[d] / options.bias : 0;
  return (w.head(d).squaredNorm() + bias * bias) / 2 + sum;
}

}  // namespace alcedo
