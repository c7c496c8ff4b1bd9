// The squared hinge by Newton's method with a factorisation (Chapelle 2007), in double: for rows
// that have nearly everything in common (EMK pooled by sums: cosines of 0.95) and a large C, where
// descent takes thousands of passes and products in float lose what tells the rows apart.
#include <algorithm>
#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/classifier/dual_group.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

constexpr int kMostSteps = 50;
constexpr int kMostHalvings = 20;

}  // namespace

// In the variables beta = y alpha. Let V be the samples inside the margin, y_i score_i < 1. The
// minimum for V as it is solves (K + 1 / (2 C)) beta = y on V, with beta = 0 elsewhere; that is a
// Newton step of the primal objective, which is convex and piecewise quadratic: once V does not
// change, it is the solution.
bool DualGroup::SolveDirectly(Index c) {
  const std::int8_t* target = Target(c);
  const double bias = problem_.options.bias * problem_.options.bias;
  Vector beta(n_), scores(n_), shifts(n_);
  for (Index i = 0; i < n_; ++i) {
    beta[i] = target[i] * alpha_(c, i);
    shifts[i] = 1 / (2 * Costs(c).Of(target[i]));
  }
  const auto scores_of = [&](const Vector& b) {
    Vector result = Vector::Constant(n_, bias * b.sum());
    for (Index j = 0; j < n_; ++j) {
      if (b[j] != 0) result += b[j] * problem_.gram.row(j).transpose().cast<double>();
    }
    return result;
  };
  const auto objective = [&](const Vector& b, const Vector& s) {
    double value = b.dot(s) / 2;
    for (Index i = 0; i < n_; ++i) {
      const double inside = 1 - target[i] * s[i];
      if (target[i] != 0 && inside > 0) value += inside * inside / (2 * shifts[i]);
    }
    return value;
  };
  scores = scores_of(beta);
  double before = objective(beta, scores);
  std::vector<Index> last;
  std::vector<double> factor;
  for (int step = 0; step < kMostSteps; ++step) {
    std::vector<Index> inside;
    for (Index i = 0; i < n_; ++i) {
      if (target[i] != 0 && target[i] * scores[i] < 1) inside.push_back(i);
    }
    if (step > 0 && inside == last) break;
    const auto size = static_cast<Index>(inside.size());
    factor.assign(static_cast<std::size_t>(size * size), 0);
    Vector solution(size);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j <= i; ++j)
        factor[i * size + j] = problem_.gram(inside[i], inside[j]) + bias;
      factor[i * size + i] += shifts[inside[i]];
      solution[i] = target[inside[i]];
    }
    if (!blas::CholeskyFactor(factor.data(), size)) return false;
    blas::CholeskySolve(factor.data(), size, solution.data());
    Vector goal = Vector::Zero(n_);
    for (Index i = 0; i < size; ++i) goal[inside[i]] = solution[i];
    const Vector direction = goal - beta, change = scores_of(direction);
    double length = 1, after = 0;
    for (int halving = 0; halving < kMostHalvings; ++halving, length /= 2) {
      after = objective(beta + length * direction, scores + length * change);
      if (after <= before) break;
    }
    if (!(after <= before)) break;  // as near as double comes
    // After a shorter step V is that of a point on the way, and must be looked at again.
    last = length == 1 ? inside : std::vector<Index>();
    beta += length * direction;
    scores += length * change;
    before = after;
  }
  // A minimum has no beta of the wrong side.
  for (Index i = 0; i < n_; ++i) alpha_(c, i) = std::max(0.0, target[i] * beta[i]);
  for (Index i = 0; i < n_; ++i) beta[i] = target[i] * alpha_(c, i);
  scores_.row(c) = scores_of(beta);
  return true;
}

}  // namespace alcedo
