// The projected Newton steps of DualGroup, in the variables beta = y alpha: the gradient of the
// dual is scores - y + beta / (2 C) and its Hessian the matrix plus 1 / (2 C) on the diagonal; for
// the hinge without the terms of C.
#include <algorithm>
#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/classifier/dual_group.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

constexpr int kMostProducts = 20;
constexpr double kForcing = 0.03;  // residual of a step, relative to the gradient
constexpr int kMostTrials = 5;

double Dot(const Rows& a, const Rows& b, Index row) {
  return a.row(row).cast<double>().dot(b.row(row).cast<double>());
}

}  // namespace

double DualGroup::Free(Index c, Index i) const {
  return alpha_(c, i) > 0 && alpha_(c, i) < MostAlpha(c, i) ? 1 : 0;
}

double DualGroup::DualObjective(Index c) const {
  double sum = 0;
  for (Index i = 0; i < n_; ++i) {
    const double y = Target(c)[i], alpha = alpha_(c, i);
    sum += alpha - y * alpha * scores_(c, i) / 2;
    if (!Hinge()) sum -= alpha * alpha / (4 * Costs(c).Of(Target(c)[i]));
  }
  return sum;
}

void DualGroup::Multiply(const Rows& changes) {
  blas::MultiplyTransposed(changes.data(), Count(), n_, n_, problem_.gram.data(), n_,
                           problem_.gram.outerStride(), products_.data(), n_);
  const double bias = problem_.options.bias * problem_.options.bias;
  for (Index a = 0; a < Count(); ++a) {
    const double constant = bias * changes.row(a).cast<double>().sum();
    products_.row(a).array() += static_cast<float>(constant);
  }
}

int DualGroup::SolveForStep() {
  const Index count = Count();
  steps_.setZero(count, n_);
  Rows residuals(count, n_), shifts(count, n_), free(count, n_);
  Vector squares(count), enough(count);
  for (Index a = 0; a < count; ++a) {
    const Index c = active_[a];
    for (Index i = 0; i < n_; ++i) {
      const double shift = Hinge() ? 0 : 1 / (2 * Costs(c).Of(Target(c)[i])), y = Target(c)[i];
      free(a, i) = static_cast<float>(Free(c, i));
      shifts(a, i) = static_cast<float>(shift);
      residuals(a, i) =
          free(a, i) * static_cast<float>(y - scores_(c, i) - shift * y * alpha_(c, i));
    }
    squares[a] = Dot(residuals, residuals, a);
    enough[a] = kForcing * kForcing * squares[a];
  }
  Rows directions = residuals;
  int products = 0;
  // Classes that are done keep a direction of 0: their products cost little beside the others'.
  for (bool any = true; any && products < kMostProducts; ++products) {
    any = false;
    Multiply(directions);
    for (Index a = 0; a < count; ++a) {
      if (squares[a] <= enough[a]) continue;
      products_.row(a).array() += shifts.row(a).array() * directions.row(a).array();
      products_.row(a).array() *= free.row(a).array();
      const double length = squares[a] / Dot(directions, products_, a);
      if (!(length > 0) || !std::isfinite(length)) {  // singular, or not a matrix of products
        enough[a] = squares[a];
        directions.row(a).setZero();
        continue;
      }
      steps_.row(a) += static_cast<float>(length) * directions.row(a);
      residuals.row(a) -= static_cast<float>(length) * products_.row(a);
      const double before = squares[a];
      squares[a] = Dot(residuals, residuals, a);
      if (squares[a] <= enough[a]) {
        directions.row(a).setZero();
      } else {
        directions.row(a) =
            residuals.row(a) + static_cast<float>(squares[a] / before) * directions.row(a);
        any = true;
      }
    }
  }
  return products;
}

int DualGroup::NewtonStep() {
  int products = SolveForStep();
  const Index count = Count();
  Rows changes(count, n_);
  std::vector<char> pending(count, 1);
  float size = 1;
  for (int trial = 0; trial < kMostTrials; ++trial, size /= 2) {
    for (Index a = 0; a < count; ++a) {
      const Index c = active_[a];
      for (Index i = 0; i < n_; ++i) {
        const double y = Target(c)[i], before = alpha_(c, i);
        const double wanted = before + y * size * steps_(a, i);
        const double after = static_cast<float>(std::clamp(wanted, 0.0, MostAlpha(c, i)));
        changes(a, i) = pending[a] != 0 ? static_cast<float>(y * (after - before)) : 0;
      }
    }
    Multiply(changes);
    ++products;
    bool any = false;
    for (Index a = 0; a < count; ++a) {
      if (pending[a] == 0) continue;
      const Index c = active_[a];
      const double before = DualObjective(c);
      const Vector alpha = alpha_.row(c), scores = scores_.row(c);
      for (Index i = 0; i < n_; ++i) alpha_(c, i) += Target(c)[i] * double{changes(a, i)};
      scores_.row(c) += products_.row(a).cast<double>();
      pending[a] = 0;
      if (DualObjective(c) > before) continue;
      alpha_.row(c) = alpha;
      scores_.row(c) = scores;
      pending[a] = 1;
      any = true;
    }
    if (!any) break;
  }
  return products;
}

}  // namespace alcedo
