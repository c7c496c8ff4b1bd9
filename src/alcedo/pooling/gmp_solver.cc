#include "alcedo/pooling/gmp_solver.h"

#include <algorithm>
#include <cmath>

#include "alcedo/base/types.h"

namespace alcedo {

using cg_internal::Norm;

namespace {

// Beyond this a direct solver would not finish in useful time or memory.
constexpr double kMaxMatrixBytes = 512.0 * 1024 * 1024;

}  // namespace

GmpCost EstimateCost(Index num_rows, Index dimension, Index num_values, Index num_lambdas,
                     bool in_cache) {
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
  cost.direct_fits = small * small * 8 <= kMaxMatrixBytes;
  return cost;
}

bool GmpSolverForRows::InDualSpace(const RowOperator& rows) const {
  if (options_.solver == GmpSolver::kPrimal) return false;
  if (options_.solver == GmpSolver::kDual) return true;
  return rows.num_rows() < rows.size();
}

GmpSolverForRows::CgBudget GmpSolverForRows::MakeBudget(const RowOperator& rows, Index num_lambdas,
                                                        bool zero) const {
  if (options_.solver == GmpSolver::kCg) return {options_.max_iterations, false};
  if (options_.solver != GmpSolver::kAuto) return {0, true};
  const GmpCost cost = EstimateCost(rows.num_rows(), rows.size(), rows.num_values(), num_lambdas,
                                    num_lambdas == 1 && rows.FitsCache());
  if (!cost.direct_fits) return {options_.max_iterations, false};
  if (zero) return {0, true};  // without regularisation only eigenvalues know the rank
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
    reports[l] = {false,      report.iterations, report.residual_norm,
                  right_norm, Norm(x.row(l)),    report.stop};
  }
}

void GmpSolverForRows::PrepareDirect(RowOperator& rows, bool dual) {
  double* matrix = direct_.Reset(dual ? rows.num_rows() : rows.size());
  dual ? rows.Kernel(matrix) : rows.Gram(matrix);
}

// v <- (G + lambda I)^-1 v, or G^+ v for lambda = 0, with G = Phi Phi^T. Through the kernel K it is
// (v - Phi (K + lambda I)^-1 Phi^T v) / lambda, or Phi K^+ K^+ Phi^T v.
void GmpSolverForRows::ApplyPrimalInverse(RowOperator& rows, bool dual, double lambda, Vector& v) {
  if (!dual) {
    direct_.Solve(v.data());
    return;
  }
  similarities_.resize(rows.num_rows());
  rows.Similarities(v.data(), similarities_.data());
  direct_.Solve(similarities_.data());
  if (lambda == 0) direct_.Solve(similarities_.data());
  product_.resize(v.size());
  rows.WeightedSum(similarities_.data(), product_.data());
  if (lambda == 0) {
    v = product_;
  } else {
    v = (v - product_) / lambda;
  }
}

// v <- (K + lambda I)^-1 v, or K^+ v for lambda = 0. Through the primal matrix G it is
// (v - Phi^T (G + lambda I)^-1 Phi v) / lambda, or Phi^T G^+ G^+ Phi v.
void GmpSolverForRows::ApplyDualInverse(RowOperator& rows, bool dual, double lambda, Vector& v) {
  if (dual) {
    direct_.Solve(v.data());
    return;
  }
  product_.resize(rows.size());
  rows.WeightedSum(v.data(), product_.data());
  direct_.Solve(product_.data());
  if (lambda == 0) direct_.Solve(product_.data());
  similarities_.resize(v.size());
  rows.Similarities(product_.data(), similarities_.data());
  if (lambda == 0) {
    v = similarities_;
  } else {
    v = (v - similarities_) / lambda;
  }
}

double GmpSolverForRows::DirectTarget(double lambda, double right_norm, const Vector& x) const {
  // Without regularisation no residual bounds the error: refine as long as it helps.
  if (lambda == 0) return 0;
  return cg_internal::Target(MakeCgOptions({}), lambda, right_norm, Norm(x));
}

void GmpSolverForRows::PhiDirect(RowOperator& rows, std::span<const double> lambdas,
                                 std::span<GmpPartReport> reports) {
  const bool dual = InDualSpace(rows), many = static_cast<Index>(lambdas.size()) >= kManyLambdas;
  const Index d = rows.size();
  const double right_norm = Norm(sum_);
  PrepareDirect(rows, dual);
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const double lambda = lambdas[l];
    direct_.Prepare(lambda, options_.rank_tolerance, many);
    residual_ = sum_;
    const double norm = Refine([&](Vector& v) { ApplyPrimalInverse(rows, dual, lambda, v); },
                               [&](const Vector& x, Vector& left) {
                                 left.resize(d);
                                 rows.Apply(1, x.data(), left.data());
                                 left = sum_ - left - lambda * x;
                               },
                               [&](const Vector& x) { return DirectTarget(lambda, right_norm, x); },
                               solution_, residual_, refine_scratch_);
    Eigen::Map<EigenVector>(solutions_.data() + l * d, d) = solution_;
    const double target =
        lambda == 0 ? options_.tolerance * right_norm : DirectTarget(lambda, right_norm, solution_);
    reports[l] = {true,
                  0,
                  norm,
                  right_norm,
                  Norm(solution_),
                  norm <= target ? CgReport::Stop::kConverged : CgReport::Stop::kStagnated};
  }
}

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
    if (report.converged() || !budget.direct_waits) {
      weights = solution_;
      return {false,           report.iterations, report.residual_norm,
              Norm(residual_), Norm(weights),     report.stop};
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
          first.converged() ? second.stop : first.stop};
}

GmpPartReport GmpSolverForRows::WeightsDirect(RowOperator& rows, double lambda,
                                              VectorSpan weights) {
  const Index n = rows.num_rows();
  const bool dual = InDualSpace(rows);
  PrepareDirect(rows, dual);
  direct_.Prepare(lambda, options_.rank_tolerance);
  KernelOperator kernel(rows);
  residual_.setOnes(n);
  double right_norm = Norm(residual_);
  double norm = Refine([&](Vector& v) { ApplyDualInverse(rows, dual, lambda, v); },
                       [&](const Vector& x, Vector& left) {
                         left.resize(n);
                         kernel.Apply(1, x.data(), left.data());
                         left = Vector::Ones(n) - left - lambda * x;
                       },
                       [&](const Vector& x) { return DirectTarget(lambda, right_norm, x); },
                       solution_, residual_, refine_scratch_);
  weights = solution_;
  double target = DirectTarget(lambda, right_norm, solution_);
  if (lambda == 0) {
    // K alpha = 1 has no solution in general; that of least squares leaves Phi (1 - K alpha) = 0.
    product_.resize(rows.size());
    rows.WeightedSum(residual_.data(), product_.data());
    norm = Norm(product_);
    residual_.setOnes(n);
    rows.WeightedSum(residual_.data(), product_.data());
    right_norm = Norm(product_);
    target = options_.tolerance * right_norm;
  }
  return {true,          0,
          norm,          right_norm,
          Norm(weights), norm <= target ? CgReport::Stop::kConverged : CgReport::Stop::kStagnated};
}

}  // namespace alcedo
