// The weights of GMP for one set of rows (Eq. 10): the second half of GmpSolverForRows.
#include <algorithm>
#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/linalg/ridge_qr.h"
#include "alcedo/pooling/gmp_solver.h"

namespace alcedo {

using cg_internal::Norm;

GmpPartReport GmpSolverForRows::SolveWeights(RowOperator& rows, double lambda, VectorSpan weights) {
  const Index n = rows.num_rows();
  const CgBudget budget = MakeBudget(rows, 1, lambda == 0);
  if (budget.iterations > 0 && lambda == 0) return WeightsByCgWithoutLambda(rows, weights);
  if (budget.iterations > 0) {
    KernelOperator kernel(rows);
    solution_.resize(n);
    residual_.setOnes(n);
    const CgReport report =
        SolveOne(kernel, rows.FitsCache(), residual_, lambda, MakeCgOptions(budget), solution_);
    const GmpPartReport part = FromCg(report, Norm(residual_), Norm(solution_), lambda);
    if (part.stop == CgReport::Stop::kConverged || !budget.direct_waits) {
      weights = solution_;
      return part;
    }
  }
  return WeightsDirect(rows, lambda, weights);
}

// K alpha = 1 has no solution in general, and conjugate gradients on it would diverge. K^+ 1 is
// Phi^T G^+ G^+ Phi 1, and both of these systems have one.
GmpPartReport GmpSolverForRows::WeightsByCgWithoutLambda(RowOperator& rows, VectorSpan weights) {
  const CgOptions cg = MakeCgOptions({options_.max_iterations, false});
  sum_.resize(rows.size());
  residual_.setOnes(rows.num_rows());
  rows.WeightedSum(residual_.data(), sum_.data());
  Vector phi = Vector::Zero(rows.size());
  const CgReport first = SolveCg(rows, sum_, 0, cg, phi, workspace_);
  solution_.setZero(rows.size());
  const CgReport second = SolveCg(rows, phi, 0, cg, solution_, workspace_);
  rows.Similarities(solution_.data(), weights.data());
  return {false,
          first.iterations + second.iterations,
          std::max(first.residual, second.residual) * Norm(sum_),
          Norm(sum_),
          Norm(weights),
          kUnknownError,
          first.converged() ? second.stop : first.stop};
}

GmpPartReport GmpSolverForRows::WeightsDirect(RowOperator& rows, double lambda,
                                              VectorSpan weights) {
  const bool dual = InDualSpace(rows);
  PrepareDirect(rows, dual);
  if (lambda == 0) return WeightsWithoutLambda(rows, dual, weights);
  GmpPartReport report =
      dual ? WeightsFromKernel(rows, lambda, weights) : WeightsFromPhi(rows, lambda, weights);
  if (Good(report)) return report;
  if (RowsFit(rows)) {
    RidgeQr qr = SolveRidgeByQr(rows, lambda);
    const double norm = Norm(qr.weights);
    if (qr.weights_error < report.relative_error() * norm) {
      KernelOperator kernel(rows);
      residual_.resize(rows.num_rows());
      kernel.Apply(1, qr.weights.data(), residual_.data());
      residual_ = Vector::Ones(rows.num_rows()) - residual_ - lambda * qr.weights;
      report = Judged({true, 0, Norm(residual_), report.right_norm, norm, qr.weights_error});
      weights = qr.weights;
    }
  }
  return Good(report) || dual ? report : WeightsInRange(rows, lambda, weights);
}

GmpPartReport GmpSolverForRows::WeightsWithoutLambda(RowOperator& rows, bool dual,
                                                     VectorSpan weights) {
  const Index n = rows.num_rows();
  direct_.Prepare(0, options_.rank_tolerance);
  KernelOperator kernel(rows);
  product_.resize(rows.size());
  residual_.setOnes(n);
  // v <- K^+ v; through the Gram matrix it is Phi^T G^+ G^+ Phi v.
  const auto inverse = [&](Vector& v) {
    if (dual) return direct_.Solve(v.data());
    rows.WeightedSum(v.data(), product_.data());
    direct_.Solve(product_.data());
    direct_.Solve(product_.data());
    rows.Similarities(product_.data(), v.data());
  };
  Refine(
      inverse,
      [&](const Vector& x, Vector& left) {
        left.resize(n);
        kernel.Apply(1, x.data(), left.data());
        left = Vector::Ones(n) - left;
      },
      [](const Vector&) { return 0.0; }, solution_, residual_, refine_scratch_);
  weights = solution_;
  // K alpha = 1 has no solution in general; that of least squares leaves Phi (1 - K alpha) = 0.
  rows.WeightedSum(residual_.data(), product_.data());
  const double norm = Norm(product_);
  residual_.setOnes(n);
  rows.WeightedSum(residual_.data(), product_.data());
  GmpPartReport report{true, 0, norm, Norm(product_), Norm(weights)};
  report.error_norm = norm == 0 ? 0 : kUnknownError;
  if (norm > options_.tolerance * report.right_norm) report.stop = CgReport::Stop::kStagnated;
  return report;
}

GmpPartReport GmpSolverForRows::WeightsFromKernel(RowOperator& rows, double lambda,
                                                  VectorSpan weights) {
  const Index n = rows.num_rows();
  direct_.Prepare(lambda, options_.rank_tolerance);
  KernelOperator kernel(rows);
  residual_.setOnes(n);
  const double right_norm = Norm(residual_);
  const CgOptions limits = MakeCgOptions({});
  const double norm = Refine(
      [&](Vector& v) { direct_.Solve(v.data()); },
      [&](const Vector& x, Vector& left) {
        left.resize(n);
        kernel.Apply(1, x.data(), left.data());
        left = Vector::Ones(n) - left - lambda * x;
      },
      [&](const Vector& x) { return cg_internal::Target(limits, lambda, right_norm, Norm(x)); },
      solution_, residual_, refine_scratch_);
  weights = solution_;
  GmpPartReport report{true, 0, norm, right_norm, Norm(weights)};
  const double left =
      norm + 2 * kRounding * (frobenius_ * frobenius_ + lambda) * report.solution_norm;
  report.error_norm = left / lambda;
  if (Good(report)) return Judged(report);
  report.error_norm = left * std::min(1 / lambda, direct_.InverseNormBound());
  return Judged(report);
}

// alpha = (1 - Phi^T phi) / lambda: Eq. 6 and 10 together.
GmpPartReport GmpSolverForRows::WeightsFromPhi(RowOperator& rows, double lambda,
                                               VectorSpan weights) {
  const Index n = rows.num_rows();
  residual_.setOnes(n);
  sum_.resize(rows.size());
  rows.WeightedSum(residual_.data(), sum_.data());
  const GmpPartReport phi = PhiForLambda(rows, false, lambda, false);
  similarities_.resize(n);
  rows.Similarities(solution_.data(), similarities_.data());
  weights = (Vector::Ones(n) - similarities_) / lambda;
  // What is left of Eq. 10 is Phi^T (phi - Phi alpha).
  product_.resize(rows.size());
  rows.WeightedSum(weights.data(), product_.data());
  product_ = solution_ - product_;
  residual_.resize(n);
  rows.Similarities(product_.data(), residual_.data());
  const double ones = std::sqrt(static_cast<double>(n));
  GmpPartReport report{true, 0, Norm(residual_), ones, Norm(weights)};
  const double apart = Norm(product_) + kRounding * frobenius_ * report.solution_norm;
  report.error_norm = apart * std::min(0.5 / std::sqrt(lambda), frobenius_ / lambda) +
                      2 * kRounding * (ones + frobenius_ * phi.solution_norm) / lambda;
  return Judged(report);
}

// If the ones are in the range of Phi^T, as those of hard BOV are, then alpha is too, and
// (1 - Phi^T phi) / lambda divides nothing but rounding errors by lambda. There alpha is
// Phi^T (G + lambda I)^-1 w for the w that explains the ones. Which of the two is right cannot be
// known from rows that were rounded; the weights without that part are the shorter ones.
GmpPartReport GmpSolverForRows::WeightsInRange(RowOperator& rows, double lambda,
                                               VectorSpan weights) {
  const Index n = rows.num_rows();
  PhiWithoutLambda(rows, false);
  const double explained = frobenius_ * Norm(solution_);
  product_ = solution_;
  direct_.Prepare(lambda, options_.rank_tolerance);
  direct_.Solve(product_.data());
  similarities_.resize(n);
  rows.Similarities(product_.data(), similarities_.data());
  const Vector given = weights;
  KernelOperator kernel(rows);
  const auto left_by = [&](const Vector& alpha) {
    residual_.resize(n);
    kernel.Apply(1, alpha.data(), residual_.data());
    residual_ = Vector::Ones(n) - residual_ - lambda * alpha;
    return Norm(residual_);
  };
  const double ones = std::sqrt(static_cast<double>(n));
  const double in_range = left_by(similarities_);
  const bool take =
      in_range <= 64 * kRounding * (ones + explained) && Norm(similarities_) < Norm(given);
  weights = take ? similarities_ : given;
  GmpPartReport report{true, 0, take ? in_range : left_by(given), ones, Norm(weights)};
  report.error_norm = (report.residual_norm + 2 * kRounding * ones) / lambda;
  return Judged(report);
}

}  // namespace alcedo
