#include "alcedo/pooling/gmp_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/linalg/preconditioned_cg.h"
#include "alcedo/linalg/ridge_qr.h"

namespace alcedo {

using cg_internal::Norm;

namespace {

// Below this many products, a matrix in double takes no more than a few milliseconds.
constexpr double kFloatGramProducts = 2e8;
// A lambda below this part of the trace is lost in the rounding of float.
constexpr double kFloatGramLambda = 1e-7;
// Two or three are usual; what is not solved by then needs the matrix in double.
constexpr int kFloatGramSteps = 12;

}  // namespace

GmpCost EstimateCost(Index num_rows, Index dimension, Index num_values, Index num_lambdas,
                     bool in_cache, bool float_first) {
  const double values = static_cast<double>(num_values);
  const double d = static_cast<double>(dimension);
  const double small = static_cast<double>(std::min(num_rows, dimension));
  GmpCost cost;
  // A fused pass in double, in cache or bound by memory; in float; and the vectors of every lambda.
  // Measured with 13 to 24 iterations: 4.0, 9.1, 27 and 57 us for 20, 40, 90 and 200 rows of 128.
  const double pass = values * (values > 4e6 ? 0.2 : 0.15);
  const double vectors = d * (0.6 + 0.3 * static_cast<double>(num_lambdas)) + 100;
  cost.cg_iteration = (in_cache ? 0.06 * values : pass) + vectors;
  cost.cg_checks = (in_cache ? 3 : 2) * pass + 500;
  // The matrix, then a factorisation and two passes per lambda; small factorisations run far below
  // the peak. Measured: 4.4, 14, 70 and 169 us for the same rows.
  const double matrix = static_cast<double>(num_rows) * d * small / (small > 512 ? 50 : 36);
  const double factor =
      small * small * small / 3 / (35 * small / (small + 330)) + 0.5 * small * small;
  cost.direct = matrix + (factor + 2 * pass) * static_cast<double>(num_lambdas) + 1000;
  if (float_first) {
    // 10,000 rows of 2,048 with one and three lambdas: 210 and 275 ms on a Zen 5, and nearly twice
    // as much on an Emerald Rapids, whose passes are as fast: this is between them.
    cost.direct = 0.33 * matrix + (0.45 * factor + 3.5 * pass) * static_cast<double>(num_lambdas);
  }
  cost.direct_fits = small * small * 8 <= kMaxMatrixBytes;
  return cost;
}

bool GmpSolverForRows::InDualSpace(const RowOperator& rows) const {
  if (options_.solver == GmpSolver::kPrimal) return false;
  if (options_.solver == GmpSolver::kDual) return true;
  return rows.num_rows() < rows.size();
}

bool GmpSolverForRows::FloatFirst(const RowOperator& rows, Index num_lambdas) const {
  const double d = static_cast<double>(rows.size());
  return rows.FloatRows() != nullptr && !InDualSpace(rows) &&
         num_lambdas<kManyLambdas&& static_cast<double>(rows.num_rows()) * d * d>
             kFloatGramProducts;
}

GmpSolverForRows::CgBudget GmpSolverForRows::MakeBudget(const RowOperator& rows, Index num_lambdas,
                                                        bool zero) const {
  // Without regularisation only eigenvalues know the rank, whoever asks for conjugate gradients.
  const bool iterate = options_.solver == GmpSolver::kCg;
  if (iterate && !zero) return {options_.max_iterations, false};
  if (!iterate && options_.solver != GmpSolver::kAuto) return {0, true};
  const GmpCost cost =
      EstimateCost(rows.num_rows(), rows.size(), rows.num_values(), num_lambdas,
                   num_lambdas == 1 && rows.FitsCache(), FloatFirst(rows, num_lambdas));
  if (!cost.direct_fits) return {options_.max_iterations, false};
  if (zero) return {0, true};
  // Ski rental: conjugate gradients may cost as much as the direct solver would, and then it takes
  // over. Nobody knows the spectrum beforehand, and this is at most twice the better choice.
  const double budget = std::max(0.0, cost.direct - cost.cg_checks) / cost.cg_iteration;
  return {static_cast<int>(std::min<double>(options_.max_iterations, budget)), true};
}

CgOptions GmpSolverForRows::MakeCgOptions(const CgBudget& budget) const {
  CgOptions cg;
  cg.tolerance = options_.tolerance;
  cg.accuracy = options_.accuracy;
  cg.max_iterations = budget.iterations;
  cg.give_up_early = budget.direct_waits;
  return cg;
}

void GmpSolverForRows::SolvePhi(RowOperator& rows, std::span<const double> lambdas, MatrixSpan phi,
                                std::span<GmpPartReport> reports) {
  sum_.resize(rows.size());
  similarities_.setOnes(rows.num_rows());
  rows.WeightedSum(similarities_.data(), sum_.data());
  for (bool zero : {false, true}) {
    std::vector<double> chosen;
    std::vector<Index> where;
    for (Index l = 0; l < static_cast<Index>(lambdas.size()); ++l) {
      if ((lambdas[l] == 0) != zero) continue;
      chosen.push_back(lambdas[l]);
      where.push_back(l);
    }
    if (chosen.empty()) continue;
    std::vector<GmpPartReport> chosen_reports(chosen.size());
    SolveTogether(rows, chosen, zero, chosen_reports);
    for (std::size_t k = 0; k < where.size(); ++k) {
      phi.row(where[k]) = Eigen::Map<const Eigen::RowVectorXd>(
          solutions_.data() + static_cast<Index>(k) * rows.size(), rows.size());
      reports[where[k]] = chosen_reports[k];
    }
  }
}

void GmpSolverForRows::SolveTogether(RowOperator& rows, std::span<const double> lambdas, bool zero,
                                     std::span<GmpPartReport> reports) {
  const Index count = static_cast<Index>(lambdas.size());
  solutions_.resize(std::max<std::size_t>(solutions_.size(), count * rows.size()));
  const CgBudget budget = MakeBudget(rows, count, zero);
  if (budget.iterations > 0) {
    PhiByCg(rows, lambdas, MakeCgOptions(budget), reports);
    const bool all = std::all_of(reports.begin(), reports.end(), [](const GmpPartReport& r) {
      return r.stop == CgReport::Stop::kConverged;
    });
    if (all || !budget.direct_waits) return;
  }
  PhiDirect(rows, lambdas, reports);
}

template <class Operator>
CgReport GmpSolverForRows::SolveOne(Operator& a, bool in_cache, const Vector& right, double lambda,
                                    const CgOptions& cg, VectorSpan x) {
  if (in_cache) return SolveMixedCg(a, right, lambda, cg, x, mixed_workspace_);
  x.setZero();
  return SolveCg(a, right, lambda, cg, x, workspace_);
}

void GmpSolverForRows::PhiByCg(RowOperator& rows, std::span<const double> lambdas,
                               const CgOptions& cg, std::span<GmpPartReport> reports) {
  const Index count = static_cast<Index>(lambdas.size()), d = rows.size();
  Eigen::Map<EigenMatrix> x(solutions_.data(), count, d);
  path_workspace_.reports.resize(count);
  if (count == 1) {
    path_workspace_.reports[0] = SolveOne(rows, rows.FitsCache(), sum_, lambdas[0], cg,
                                          Eigen::Map<EigenVector>(x.data(), d));
  } else {
    SolveShiftedCg(rows, sum_, lambdas, cg, x, path_workspace_);
  }
  const double right_norm = Norm(sum_);
  for (Index l = 0; l < count; ++l) {
    const CgReport& report = path_workspace_.reports[l];
    reports[l] = FromCg(report, right_norm, Norm(x.row(l)), lambdas[l]);
  }
}

void GmpSolverForRows::PrepareDirect(RowOperator& rows, bool dual) {
  double* matrix = direct_.Reset(dual ? rows.num_rows() : rows.size());
  dual ? rows.Kernel(matrix) : rows.Gram(matrix);
  double trace = 0;
  for (Index i = 0; i < direct_.size(); ++i) trace += matrix[i * direct_.size() + i];
  frobenius_ = std::sqrt(trace);
}

// The matrix is at least lambda I, so that what is left of the right side bounds the error, with
// the rounding errors of what is left: for a tiny lambda they are all that is left.
GmpPartReport GmpSolverForRows::FromCg(const CgReport& cg, double right_norm, double solution_norm,
                                       double lambda) const {
  GmpPartReport report{false, cg.iterations, cg.residual_norm, right_norm, solution_norm};
  report.stop = cg.stop;
  if (right_norm == 0) return report;
  const double left = cg.residual_norm + 2 * kRounding * (squared_norm_ + lambda) * solution_norm;
  report.error_norm = lambda > 0 ? left / lambda : kUnknownError;
  if (lambda > 0 && cg.converged()) return Judged(report);
  return report;
}

bool GmpSolverForRows::Good(const GmpPartReport& report) const {
  return report.residual_norm <= options_.tolerance * report.right_norm + report.residual_floor &&
         (report.relative_error() <= options_.accuracy || report.error_norm <= report.error_floor);
}

// Rows that cancel leave nothing but the rounding errors of what cancelled: in the sum of all rows,
// and what is then the least of phi that means anything.
GmpPartReport GmpSolverForRows::WithFloors(GmpPartReport report, Index num_rows,
                                           double lambda) const {
  const double sum = 16 * kRounding * frobenius_ * std::sqrt(static_cast<double>(num_rows));
  report.residual_floor = sum;
  report.error_floor = sum / (lambda + frobenius_ * frobenius_);
  return report;
}

GmpPartReport GmpSolverForRows::Judged(GmpPartReport report) const {
  report.stop = Good(report) ? CgReport::Stop::kConverged : CgReport::Stop::kStagnated;
  return report;
}

bool GmpSolverForRows::RowsFit(const RowOperator& rows) {
  return RidgeQrBytes(rows.num_rows(), rows.size()) <= kMaxMatrixBytes;
}

void GmpSolverForRows::PhiDirect(RowOperator& rows, std::span<const double> lambdas,
                                 std::span<GmpPartReport> reports) {
  const bool dual = InDualSpace(rows), many = static_cast<Index>(lambdas.size()) >= kManyLambdas;
  const Index d = rows.size();
  const bool cancel = Norm(sum_) == 0;  // phi is 0, which weights would only give to rounding
  const bool float_first = !cancel && FloatFirst(rows, static_cast<Index>(lambdas.size())) &&
                           float_gram_.Reset(rows.FloatRows(), rows.num_rows(), d);
  bool prepared = false;
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    GmpPartReport& report = reports[l];
    report = {.direct = true};
    if (cancel) solution_.setZero(d);
    if (float_first && lambdas[l] > 0) report = PhiFromFloatGram(rows, lambdas[l]);
    if (!cancel && !(float_first && Good(report))) {
      if (!prepared) PrepareDirect(rows, dual);
      prepared = true;
      report = lambdas[l] == 0 ? PhiWithoutLambda(rows, dual)
                               : PhiForLambda(rows, dual, lambdas[l], many);
    }
    Eigen::Map<EigenVector>(solutions_.data() + l * d, d) = solution_;
  }
}

GmpPartReport GmpSolverForRows::PhiWithoutLambda(RowOperator& rows, bool dual) {
  direct_.Prepare(0, options_.rank_tolerance);
  const double right_norm = Norm(sum_);
  residual_ = sum_;
  // v <- G^+ v; through the kernel it is Phi K^+ K^+ Phi^T v.
  const auto inverse = [&](Vector& v) {
    if (!dual) return direct_.Solve(v.data());
    similarities_.resize(rows.num_rows());
    rows.Similarities(v.data(), similarities_.data());
    direct_.Solve(similarities_.data());
    direct_.Solve(similarities_.data());
    rows.WeightedSum(similarities_.data(), v.data());
  };
  // Without regularisation no residual bounds the error: refine as long as it helps.
  const double norm = Refine(
      inverse,
      [&](const Vector& x, Vector& left) {
        left.resize(x.size());
        rows.Apply(1, x.data(), left.data());
        left = sum_ - left;
      },
      [](const Vector&) { return 0.0; }, solution_, residual_, refine_scratch_);
  GmpPartReport report{true, 0, norm, right_norm, Norm(solution_)};
  report.error_norm = norm == 0 ? 0 : kUnknownError;
  if (norm > options_.tolerance * right_norm) report.stop = CgReport::Stop::kStagnated;
  return report;
}

// phi = Phi alpha (Eq. 7) for the weights alpha of Eq. 10. What the weights leave of the ones, r,
// bounds the error: (G + lambda I)^-1 Phi r is at most ||r|| / (2 sqrt(lambda)), since no singular
// value s has s / (s^2 + lambda) above that. The way through the primal system,
// (b - Phi (K + lambda I)^-1 Phi^T b) / lambda, cancels for a small lambda.
GmpPartReport GmpSolverForRows::PhiFromKernel(RowOperator& rows, double lambda,
                                              bool by_eigenvalues) {
  const Index n = rows.num_rows();
  direct_.Prepare(lambda, options_.rank_tolerance, by_eigenvalues);
  const double right_norm = Norm(sum_);
  const double gain = std::min(0.5 / std::sqrt(lambda), frobenius_ / lambda);
  product_.resize(rows.size());
  residual_.setOnes(n);
  double norm = Refine([&](Vector& v) { direct_.Solve(v.data()); },
                       [&](const Vector& a, Vector& left) {
                         left.resize(n);
                         rows.WeightedSum(a.data(), product_.data());
                         rows.Similarities(product_.data(), left.data());
                         left = Vector::Ones(n) - left - lambda * a;
                       },
                       [&](const Vector&) {
                         return std::min(options_.tolerance * right_norm / frobenius_,
                                         0.5 * options_.accuracy * Norm(product_) / gain);
                       },
                       weights_, residual_, refine_scratch_);
  solution_.resize(rows.size());
  rows.WeightedSum(weights_.data(), solution_.data());
  rows.WeightedSum(residual_.data(), product_.data());
  GmpPartReport report{true, 0, Norm(product_), right_norm, Norm(solution_)};
  // What r and phi themselves are computed with.
  norm += 2 * kRounding * (frobenius_ * report.solution_norm + lambda * Norm(weights_));
  report.error_norm = gain * norm + kRounding * frobenius_ * Norm(weights_);
  return Judged(WithFloors(report, n, lambda));
}

GmpPartReport GmpSolverForRows::PhiFromGram(RowOperator& rows, double lambda, bool by_eigenvalues) {
  const Index d = rows.size();
  direct_.Prepare(lambda, options_.rank_tolerance, by_eigenvalues);
  const double right_norm = Norm(sum_);
  residual_ = sum_;
  const CgOptions limits = MakeCgOptions({});
  const double norm = Refine(
      [&](Vector& v) { direct_.Solve(v.data()); },
      [&](const Vector& x, Vector& left) {
        left.resize(d);
        rows.Apply(1, x.data(), left.data());
        left = sum_ - left - lambda * x;
      },
      [&](const Vector& x) { return cg_internal::Target(limits, lambda, right_norm, Norm(x)); },
      solution_, residual_, refine_scratch_);
  GmpPartReport report{true, 0, norm, right_norm, Norm(solution_)};
  // With the rounding errors of the sum of all rows and of the product.
  const double ones = std::sqrt(static_cast<double>(rows.num_rows()));
  const double left = norm + kRounding * frobenius_ * ones +
                      2 * kRounding * (frobenius_ * frobenius_ + lambda) * report.solution_norm;
  report = WithFloors(report, rows.num_rows(), lambda);
  report.error_norm = left / lambda;
  if (Good(report)) return Judged(report);
  report.error_norm = left * std::min(1 / lambda, direct_.InverseNormBound());
  return Judged(report);
}

GmpPartReport GmpSolverForRows::PhiFromFloatGram(RowOperator& rows, double lambda) {
  const GmpPartReport failed{
      .direct = true, .error_norm = kUnknownError, .stop = CgReport::Stop::kStagnated};
  if (lambda < kFloatGramLambda * float_gram_.trace() || !float_gram_.Prepare(lambda)) {
    return failed;
  }
  solution_.resize(rows.size());
  const CgReport cg = SolvePreconditionedCg(
      rows, sum_, lambda, [&](double* v) { float_gram_.Solve(v); },
      MakeCgOptions({kFloatGramSteps, false}), solution_, workspace_);
  if (!cg.converged()) return failed;
  GmpPartReport report = FromCg(cg, Norm(sum_), Norm(solution_), lambda);
  report.direct = true;
  report.iterations = 0;
  return report;
}

GmpPartReport GmpSolverForRows::PhiFromRows(RowOperator& rows, double lambda) {
  RidgeQr qr = SolveRidgeByQr(rows, lambda);
  solution_ = std::move(qr.phi);
  // What is left of Eq. 6 through what is left of the ones: both terms of it are nearly equal.
  similarities_.resize(rows.num_rows());
  rows.Similarities(solution_.data(), similarities_.data());
  similarities_ = Vector::Ones(rows.num_rows()) - similarities_;
  const bool dual = rows.num_rows() < rows.size();
  if (dual) similarities_ -= lambda * qr.weights;
  product_.resize(rows.size());
  rows.WeightedSum(similarities_.data(), product_.data());
  if (!dual) product_ -= lambda * solution_;
  GmpPartReport report{true, 0, Norm(product_), Norm(sum_), Norm(solution_)};
  report.error_norm = qr.phi_error;
  return Judged(WithFloors(report, rows.num_rows(), lambda));
}

GmpPartReport GmpSolverForRows::PhiForLambda(RowOperator& rows, bool dual, double lambda,
                                             bool by_eigenvalues) {
  const auto from_matrix = [&](bool eigenvalues) {
    return dual ? PhiFromKernel(rows, lambda, eigenvalues) : PhiFromGram(rows, lambda, eigenvalues);
  };
  GmpPartReport report = from_matrix(by_eigenvalues);
  if (Good(report)) return report;
  Vector first = solution_;
  const bool fits = RowsFit(rows);
  if (!fits && report.solution_norm > 0) return report;
  const GmpPartReport second = fits ? PhiFromRows(rows, lambda) : from_matrix(true);
  if (report.relative_error() <= second.relative_error()) {
    solution_ = std::move(first);
    return report;
  }
  return second;
}

}  // namespace alcedo
