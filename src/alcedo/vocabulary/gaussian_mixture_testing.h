// For tests: mixtures and rows, and the formulas of the book in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture.h"

namespace alcedo::mixture_testing {

inline Rows RandomRows(Index count, Index dimension, Rng& rng) {
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

inline GaussianMixture RandomMixture(Index gaussians, Index dimension, Rng& rng) {
  GaussianMixture mixture{Vector(gaussians), RandomRows(gaussians, dimension, rng),
                          Rows(gaussians, dimension)};
  for (double& weight : mixture.weights) weight = 0.1 + rng.Uniform();
  mixture.weights /= mixture.weights.sum();
  for (Index i = 0; i < mixture.variances.size(); ++i) {
    mixture.variances.data()[i] = static_cast<float>(0.3 + rng.Uniform());
  }
  return mixture;
}

// Rows drawn from a mixture.
inline Rows Draw(const GaussianMixture& mixture, Index count, Rng& rng) {
  Rows rows = RandomRows(count, mixture.dimension(), rng);
  for (Index i = 0; i < count; ++i) {
    const Index k = rng.UniformIndex(mixture.size());
    rows.row(i) = mixture.means.row(k).array() +
                  rows.row(i).array() * mixture.variances.row(k).array().sqrt();
  }
  return rows;
}

// log(w_k p(x | k))
inline double NaiveJoint(const GaussianMixture& mixture, Index k, const Rows& rows, Index i) {
  double sum = std::log(mixture.weights[k]);
  for (Index j = 0; j < mixture.dimension(); ++j) {
    const double v = mixture.variances(k, j), t = double{rows(i, j)} - mixture.means(k, j);
    sum -= 0.5 * (std::log(2 * std::numbers::pi * v) + t * t / v);
  }
  return sum;
}

struct NaivePosterior {
  Vector posterior;
  double log_likelihood;
};
inline NaivePosterior Naive(const GaussianMixture& mixture, const Rows& rows, Index i) {
  Vector joint(mixture.size());
  for (Index k = 0; k < mixture.size(); ++k) joint[k] = NaiveJoint(mixture, k, rows, i);
  const double most = joint.maxCoeff();
  const Vector relative = (joint.array() - most).exp();
  return {relative / relative.sum(), most + std::log(relative.sum())};
}

template <class Call>
std::string Message(const Call& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no InvalidArgument";
}

}  // namespace alcedo::mixture_testing
