#include "alcedo/classifier/dual_group.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// Limits of the Newton steps.
constexpr int kMostProductsOfStep = 20;
constexpr double kForcing = 0.03;  // residual of a step, relative to the gradient
constexpr int kMostTrials = 5;

double Dot(const Rows& a, const Rows& b, Index row) {
  return a.row(row).cast<double>().dot(b.row(row).cast<double>());
}

// Limits of the steps by factorisation.
constexpr int kMostSteps = 50;
constexpr int kMostHalvings = 20;

}  // namespace

DualGroup::DualGroup(const GramProblem& problem, Index first, Index count)
    : problem_(problem),
      n_(problem.gram.rows()),
      first_(first),
      alpha_(Matrix::Zero(count, n_)),
      scores_(Matrix::Zero(count, n_)),
      delta_(count, kDualBlock),
      products_(count, n_),
      active_(count) {
  std::iota(active_.begin(), active_.end(), 0);
}

double DualGroup::MostAlpha(Index c, Index i) const {
  // Products with alphas are in float.
  return Hinge() ? Costs(c).Of(Target(c)[i]) : std::numeric_limits<float>::max();
}

void DualGroup::Start(const KernelModel& start) {
  for (const Index c : active_) {
    for (Index i = 0; i < n_; ++i) {
      const double alpha = Target(c)[i] * start.coefficients(first_ + c, i);
      alpha_(c, i) = static_cast<float>(std::clamp(alpha, 0.0, MostAlpha(c, i)));
    }
  }
  for (Index begin = 0; begin < n_; begin += kDualBlock) {
    const Index size = std::min(kDualBlock, n_ - begin);
    for (const Index c : active_) {
      for (Index i = 0; i < size; ++i) {
        delta_(c, i) = static_cast<float>(Target(c)[begin + i] * alpha_(c, begin + i));
      }
    }
    AddDelta(begin, size);
  }
}

void DualGroup::Run(SvmReport& report, Matrix& coefficients) {
  constexpr int kPassesFirst = 2;    // before the first Newton step: they find most of the bounds
  constexpr int kMostProducts = 40;  // that a class is given to get there without factorisations
  constexpr Index kMostDirect = 16384;                             // samples: a matrix of 2 GiB
  int products = 0;                                                // with the whole matrix
  int steps = 0;                                                   // of Newton's method
  std::vector<char> solved(static_cast<std::size_t>(Count()), 0);  // directly, by class
  std::vector<char> refused = solved;  // classes whose matrix cannot be factorised
  for (int pass = 0;; ++pass) {
    std::vector<Index> left;
    for (std::size_t a = 0; a < active_.size(); ++a) {
      const Index c = active_[a];
      const double gap = Gap(c);
      report.gap[first_ + c] = gap;
      report.iterations[first_ + c] = products;
      // What factorisations have not brought within the tolerance never will be.
      const bool stuck = pass > 0 && (!moved_[a] || solved[c] != 0);
      if (gap > problem_.options.tolerance && !stuck &&
          products < problem_.options.max_iterations) {
        left.push_back(c);
        continue;
      }
      for (Index i = 0; i < n_; ++i) coefficients(first_ + c, i) = Target(c)[i] * alpha_(c, i);
    }
    active_ = std::move(left);
    if (active_.empty()) return;
    bool any_solved = false;
    for (const Index c : active_) {
      const bool few = pass >= kPassesFirst && HasFewInside(c, steps > 0);
      const bool direct = products >= kMostProducts || few;
      if (Hinge() || n_ > kMostDirect || !direct || refused[c] != 0) continue;
      if (!SolveDirectly(c)) {
        refused[c] = 1;
        continue;
      }
      solved[c] = 1;
      any_solved = true;
    }
    if (any_solved) {
      moved_.assign(active_.size(), true);
      continue;
    }
    if (pass >= kPassesFirst && products + 1 < problem_.options.max_iterations) {
      products += NewtonStep();
      ++steps;
    }
    Pass(pass);
    ++products;
  }
}

bool DualGroup::HasFewInside(Index c, bool settled) const {
  constexpr double kPrice = 5;  // of an operation of a factorisation: in double, and with copies
  double inside = 0;
  for (Index i = 0; i < n_; ++i) inside += Target(c)[i] * scores_(c, i) < 1 ? 1 : 0;
  if (!settled) inside *= 2;
  // One factorisation against one product with the matrix.
  const double samples = static_cast<double>(n_);
  return kPrice * inside * inside * inside / 3 < 2 * samples * samples;
}

void DualGroup::Pass(int pass) {
  moved_.assign(active_.size(), false);
  for (const Index number : BlockOrder((n_ + kDualBlock - 1) / kDualBlock, pass)) {
    const Index begin = number * kDualBlock, size = std::min(kDualBlock, n_ - begin);
    const Index stride = problem_.gram.outerStride();
    FillDualBlock(problem_.gram.data() + begin * stride + begin, stride, size,
                  problem_.options.bias, block_);
    ShuffleBlock(block_, pass, number);
    bool any = false;
    for (std::size_t a = 0; a < active_.size(); ++a) {
      const Index c = active_[a];
      const bool changed = DescendBlock(block_, Target(c) + begin, Costs(c), problem_.options.loss,
                                        alpha_.row(c).data() + begin, scores_.row(c).data() + begin,
                                        delta_.row(static_cast<Index>(a)).data());
      moved_[a] = moved_[a] || changed;
      any = any || changed;
    }
    if (any) AddDelta(begin, size);
  }
}

void DualGroup::AddDelta(Index begin, Index size) {
  // The matrix is symmetric: its columns are the samples' products with all others, too.
  blas::MultiplyTransposed(delta_.data(), Count(), size, kDualBlock, problem_.gram.data() + begin,
                           n_, problem_.gram.outerStride(), products_.data(), n_);
  const double bias = problem_.options.bias * problem_.options.bias;
  for (Index a = 0; a < Count(); ++a) {
    const double constant = bias * delta_.row(a).head(size).cast<double>().sum();
    scores_.row(active_[a]).array() += products_.row(a).cast<double>().array() + constant;
  }
}

double DualGroup::Gap(Index c) const {
  DualSums sums;
  AddDualSums(n_, Target(c), Costs(c), problem_.options.loss, alpha_.row(c).data(),
              scores_.row(c).data(), sums);
  double squares = 0, terms = 0;  // |w|^2, and what rounding may make of it
  for (Index i = 0; i < n_; ++i) {
    const double term = Target(c)[i] * alpha_(c, i) * scores_(c, i);
    squares += term;
    terms += std::abs(term);
  }
  if (!std::isfinite(squares + sums.losses) || squares < -1e-3 * terms) {
    throw InvalidArgument(
        "gram must be a matrix of products (symmetric, no negative eigenvalues): the descent "
        "does "
        "not converge");
  }
  return RelativeGap(squares / 2 + sums.losses, sums.duals - squares / 2);
}

// The projected Newton steps of DualGroup, in the variables beta = y alpha: the gradient of the
// dual is scores - y + beta / (2 C) and its Hessian the matrix plus 1 / (2 C) on the diagonal; for
// the hinge without the terms of C.

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

void DualGroup::Multiply(const Rows& changes, const std::vector<char>& wanted) {
  std::vector<Index> rows;
  for (Index a = 0; a < Count(); ++a) {
    if (wanted[a] != 0) rows.push_back(a);
  }
  const auto count = static_cast<Index>(rows.size());
  const double bias = problem_.options.bias * problem_.options.bias;
  const bool all = count == Count();
  if (!all) {
    packed_.resize(2 * count, n_);
    for (Index r = 0; r < count; ++r) packed_.row(r) = changes.row(rows[r]);
  }
  const float* from = all ? changes.data() : packed_.data();
  float* to = all ? products_.data() : packed_.data() + count * n_;
  blas::MultiplyTransposed(from, count, n_, n_, problem_.gram.data(), n_,
                           problem_.gram.outerStride(), to, n_);
  for (Index r = 0; r < count; ++r) {
    const double constant = bias * changes.row(rows[r]).cast<double>().sum();
    if (!all) products_.row(rows[r]) = packed_.row(count + r);
    products_.row(rows[r]).array() += static_cast<float>(constant);
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
  if (!preconditioner_) preconditioner_.emplace(problem_.gram, problem_.options.bias);
  preconditioner_->Prepare(free, shifts);
  std::vector<char> pending(count, 1);
  Rows solutions(count, n_);
  preconditioner_->Apply(residuals, pending, solutions);
  Rows directions = solutions;
  Vector lengths(count);  // residuals times solutions
  for (Index a = 0; a < count; ++a) lengths[a] = Dot(residuals, solutions, a);
  for (Index a = 0; a < count; ++a) pending[a] = squares[a] > enough[a] ? 1 : 0;
  int products = 0;
  for (bool any = true; any && products < kMostProductsOfStep; ++products) {
    Multiply(directions, pending);
    for (Index a = 0; a < count; ++a) {
      if (pending[a] == 0) continue;
      products_.row(a).array() += shifts.row(a).array() * directions.row(a).array();
      products_.row(a).array() *= free.row(a).array();
      const double step = lengths[a] / Dot(directions, products_, a);
      if (!(step > 0) || !std::isfinite(step)) {  // singular, or not a matrix of products
        pending[a] = 0;
        continue;
      }
      steps_.row(a) += static_cast<float>(step) * directions.row(a);
      residuals.row(a) -= static_cast<float>(step) * products_.row(a);
      squares[a] = Dot(residuals, residuals, a);
      if (squares[a] <= enough[a]) pending[a] = 0;
    }
    any = std::ranges::count(pending, 1) > 0;
    preconditioner_->Apply(residuals, pending, solutions);
    for (Index a = 0; a < count; ++a) {
      if (pending[a] == 0) continue;
      const double before = std::exchange(lengths[a], Dot(residuals, solutions, a));
      directions.row(a) =
          solutions.row(a) + static_cast<float>(lengths[a] / before) * directions.row(a);
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
    Multiply(changes, pending);
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

// The squared hinge by Newton's method with a factorisation (Chapelle 2007), in double: for rows
// that have nearly everything in common (EMK pooled by sums: cosines of 0.95) and a large C, for
// which descent takes thousands of passes and products in float lose what tells the rows apart.
//
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
