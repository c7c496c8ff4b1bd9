#include "alcedo/pooling/elementary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Calls visit(i, x, seen) for every stored value x of dimension i, in the order of the entries;
// `seen` counts the values of that dimension before it. Returns how many rows hold each block: all
// others have zeros there.
template <class Visit>
std::vector<Index> ForEachValue(const Encodings& encodings, Visit visit) {
  std::vector<Index> counts(static_cast<std::size_t>(encodings.num_blocks()), 0);
  const Index block_size = encodings.block_size();
  encodings.WithValues([&](const auto* values) {
    for (Index e = 0; e < encodings.num_entries(); ++e, values += block_size) {
      const Index first = encodings.Block(e) * block_size;
      const Index seen = counts[encodings.Block(e)]++;
      for (Index i = 0; i < block_size; ++i) {
        visit(first + i, static_cast<double>(values[i]), seen);
      }
    }
  });
  return counts;
}

// Sums of (|x| / m)^p, m the largest |x| of the dimension so far: between 1 and N whatever p is.
// power(r) is r^p.
template <class Power>
Vector ScaledLp(const Encodings& encodings, const LpOptions& options, Power power) {
  Vector largest = Vector::Zero(encodings.dimension()), sum = largest;
  ForEachValue(encodings, [&](Index i, double x, Index) {
    const double magnitude = std::abs(x);
    if (magnitude == 0) return;
    const double sign = options.keep_sign && x < 0 ? -1 : 1;
    if (magnitude <= largest[i]) {
      sum[i] += sign * power(magnitude / largest[i]);
    } else {
      sum[i] = sum[i] * power(largest[i] / magnitude) + sign;
      largest[i] = magnitude;
    }
  });
  for (Index i = 0; i < sum.size(); ++i) {
    const double mean = std::abs(sum[i]) / static_cast<double>(encodings.num_rows());
    sum[i] = std::copysign(largest[i] * std::pow(mean, 1 / options.p), sum[i]);
  }
  return sum;
}

// The limit of lp for p to infinity: the largest magnitude, with its sign if that is kept; there
// +m and -m cancel.
Vector LargestMagnitude(const Encodings& encodings, bool keep_sign) {
  Vector highest = Vector::Zero(encodings.dimension()), lowest = highest;
  ForEachValue(encodings, [&](Index i, double x, Index) {
    highest[i] = std::max(highest[i], x);
    lowest[i] = std::min(lowest[i], x);
  });
  for (Index i = 0; i < highest.size(); ++i) {
    if (!keep_sign) {
      highest[i] = std::max(highest[i], -lowest[i]);
    } else if (highest[i] <= -lowest[i]) {
      highest[i] = highest[i] == -lowest[i] ? 0 : lowest[i];
    }
  }
  return highest;
}

// The softmax-weighted mean. The largest value M so far gives the weights exp(beta (x - M)) <= 1.
Vector SoftmaxMean(const Encodings& encodings, double beta) {
  const Index dimension = encodings.dimension();
  Vector largest = Vector::Constant(dimension, -kInfinity);
  Vector weight = Vector::Zero(dimension), sum = weight;
  const auto add = [&](Index i, double x, double count) {
    if (x <= largest[i]) {
      const double w = count * std::exp(beta * (x - largest[i]));
      weight[i] += w;
      sum[i] += w * x;
    } else {
      const double rescale = std::exp(beta * (largest[i] - x));
      weight[i] = weight[i] * rescale + count;
      sum[i] = sum[i] * rescale + count * x;
      largest[i] = x;
    }
  };
  const auto counts = ForEachValue(encodings, [&](Index i, double x, Index) { add(i, x, 1); });
  for (Index i = 0; i < dimension; ++i) {
    const Index zeros = encodings.num_rows() - counts[i / encodings.block_size()];
    if (zeros > 0) add(i, 0, static_cast<double>(zeros));
    sum[i] /= weight[i];
  }
  return sum;
}

// M + 1/beta log(1 + u / N) with u = sum (exp(beta (x - M)) - 1): sums of exp would lose everything
// to rounding if beta is small, since their mean is then close to 1.
Vector LogSumExp(const Encodings& encodings, double beta) {
  const Index dimension = encodings.dimension();
  Vector largest = Vector::Constant(dimension, -kInfinity), sum = Vector::Zero(dimension);
  const auto add = [&](Index i, double x, double count, Index seen) {
    if (x <= largest[i]) {
      sum[i] += count * std::expm1(beta * (x - largest[i]));
    } else {
      const double step = std::expm1(beta * (largest[i] - x));
      sum[i] += step * (sum[i] + static_cast<double>(seen));
      largest[i] = x;
    }
  };
  const auto counts =
      ForEachValue(encodings, [&](Index i, double x, Index seen) { add(i, x, 1, seen); });
  const Index num_rows = encodings.num_rows();
  for (Index i = 0; i < dimension; ++i) {
    const Index seen = counts[i / encodings.block_size()];
    if (seen < num_rows) add(i, 0, static_cast<double>(num_rows - seen), seen);
    sum[i] = largest[i] + std::log1p(sum[i] / static_cast<double>(num_rows)) / beta;
  }
  return sum;
}

}  // namespace

Vector PoolSum(const Encodings& encodings) {
  return WeightedSum(encodings, Vector::Ones(encodings.num_rows()));
}

Vector PoolMean(const Encodings& encodings) {
  return PoolSum(encodings) / std::max<double>(1, static_cast<double>(encodings.num_rows()));
}

Vector PoolMax(const Encodings& encodings) {
  if (encodings.num_rows() == 0) return Vector::Zero(encodings.dimension());
  Vector largest = Vector::Constant(encodings.dimension(), -kInfinity);
  const auto counts = ForEachValue(
      encodings, [&](Index i, double x, Index) { largest[i] = std::max(largest[i], x); });
  for (Index i = 0; i < largest.size(); ++i) {
    if (counts[i / encodings.block_size()] < encodings.num_rows()) {
      largest[i] = std::max(largest[i], 0.0);
    }
  }
  return largest;
}

void Check(const LpOptions& options) { Require(options.p >= 1, "lp.p", ">= 1", options.p); }

void Check(const SoftmaxOptions& options) {
  Require(options.beta >= 0, "softmax.beta", ">= 0", options.beta);
}

Vector PoolLp(const Encodings& encodings, const LpOptions& options) {
  Check(options);
  if (encodings.num_rows() == 0) return Vector::Zero(encodings.dimension());
  if (options.p == kInfinity) return LargestMagnitude(encodings, options.keep_sign);
  // The powers people use most, without std::pow for every value.
  if (options.p == 1) return ScaledLp(encodings, options, [](double r) { return r; });
  if (options.p == 2) return ScaledLp(encodings, options, [](double r) { return r * r; });
  return ScaledLp(encodings, options, [p = options.p](double r) { return std::pow(r, p); });
}

Vector PoolSoftmax(const Encodings& encodings, const SoftmaxOptions& options) {
  Check(options);
  if (encodings.num_rows() == 0) return Vector::Zero(encodings.dimension());
  if (options.beta == kInfinity) return PoolMax(encodings);
  // Floats differ by less than 1e39, doubles by less than 1e71: below these beta the weights differ
  // by less than double resolves, and beta times a small value could underflow.
  if (options.beta < (encodings.is_double() ? 1e-90 : 1e-60)) return PoolMean(encodings);
  return options.log_sum_exp ? LogSumExp(encodings, options.beta)
                             : SoftmaxMean(encodings, options.beta);
}

}  // namespace alcedo
