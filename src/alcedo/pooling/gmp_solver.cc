#include "alcedo/pooling/gmp_solver.h"

#include <algorithm>
#include <cmath>

namespace alcedo {
namespace {

// Beyond this a direct solver would not finish in useful time or memory.
constexpr double kMaxMatrixBytes = 512.0 * 1024 * 1024;
constexpr int kMaxRefinements = 3;

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

int GmpSolverForRows::CgBudget(const RowOperator& rows, Index num_lambdas) const {
  if (options_.solver == GmpSolver::kCg) return options_.max_iterations;
  if (options_.solver != GmpSolver::kAuto) return 0;
  // Ski rental: conjugate gradients may cost as much as the direct solver would, and then it takes
  // over. Nobody knows the spectrum beforehand, and this is at most twice the better choice.
  const GmpCost cost = EstimateCost(rows.num_rows(), rows.size(), rows.num_values(), num_lambdas,
                                    num_lambdas == 1 && rows.FitsCache());
  if (!cost.direct_fits) return options_.max_iterations;
  const double budget = std::max(0.0, cost.direct - cost.cg_checks) / cost.cg_iteration;
  return static_cast<int>(std::min<double>(options_.max_iterations, budget));
}

CgOptions GmpSolverForRows::MakeCgOptions(int budget) const {
  CgOptions cg;
  cg.tolerance = options_.tolerance;
  cg.accuracy = options_.accuracy;
  cg.max_iterations = budget;
  cg.give_up_early = budget < options_.max_iterations;
  return cg;
}

void GmpSolverForRows::SolvePhi(RowOperator& rows, std::span<const double> lambdas,
                                Eigen::Ref<Matrix> phi, std::span<GmpPartReport> reports) {
  const Index count = static_cast<Index>(lambdas.size());
  solutions_.resize(std::max<std::size_t>(solutions_.size(), count * rows.size()));
  sum_.resize(rows.size());
  similarities_.setOnes(rows.num_rows());
  rows.WeightedSum(similarities_.data(), sum_.data());

  // Without regularisation only the direct solver knows the rank. The others go together.
  const bool has_zero = std::find(lambdas.begin(), lambdas.end(), 0.0) != lambdas.end();
  const int budget = has_zero && options_.solver == GmpSolver::kAuto ? 0 : CgBudget(rows, count);
  bool solved = false;
  if (budget > 0) {
    PhiByCg(rows, lambdas, budget, reports);
    solved = budget == options_.max_iterations ||
             std::all_of(reports.begin(), reports.end(), [](const GmpPartReport& r) {
               return r.stop == CgReport::Stop::kConverged;
             });
  }
  if (!solved) PhiDirect(rows, lambdas, reports);
  phi = Eigen::Map<const Matrix>(solutions_.data(), count, rows.size());
}

template <class Operator>
CgReport GmpSolverForRows::SolveOne(Operator& a, bool in_cache, const Vector& right, double lambda,
                                    const CgOptions& cg, Eigen::Ref<Vector> x) {
  if (in_cache) return SolveMixedCg(a, right, lambda, cg, x, mixed_workspace_);
  x.setZero();
  return SolveCg(a, right, lambda, cg, x, workspace_);
}

void GmpSolverForRows::PhiByCg(RowOperator& rows, std::span<const double> lambdas, int budget,
                               std::span<GmpPartReport> reports) {
  const Index count = static_cast<Index>(lambdas.size()), d = rows.size();
  Eigen::Map<Matrix> x(solutions_.data(), count, d);
  const CgOptions cg = MakeCgOptions(budget);
  path_workspace_.reports.resize(count);
  if (count == 1) {
    path_workspace_.reports[0] =
        SolveOne(rows, rows.FitsCache(), sum_, lambdas[0], cg, Eigen::Map<Vector>(x.data(), d));
  } else {
    SolveShiftedCg(rows, sum_, lambdas, cg, x, path_workspace_);
  }
  const double right_norm = sum_.norm();
  for (Index l = 0; l < count; ++l) {
    const CgReport& cg_report = path_workspace_.reports[l];
    reports[l] = {false,      cg_report.iterations, cg_report.residual_norm,
                  right_norm, x.row(l).norm(),      cg_report.stop};
  }
}

// Iterative refinement: solve, look in the data at what is left of the right side, solve for that.
// Starts with x = 0 and r = the right side; ends with the best x, its residual r, and its norm.
template <class Inverse, class Residual, class Target>
double GmpSolverForRows::Refine(const Inverse& inverse, const Residual& residual,
                                const Target& target, Vector& x, Vector& r) {
  x.setZero(r.size());
  double norm = r.norm();
  for (int step = 0; step <= kMaxRefinements && norm > 0; ++step) {
    trial_ = r;
    inverse(trial_);
    trial_ += x;
    residual(trial_, trial_residual_);
    const double trial_norm = trial_residual_.norm();
    if (step > 0 && !(trial_norm < norm)) break;
    x.swap(trial_);
    r.swap(trial_residual_);
    norm = trial_norm;
    if (norm <= target(x)) break;
  }
  return norm;
}

void GmpSolverForRows::PrepareDirect(RowOperator& rows, bool dual) {
  double* matrix = direct_.Reset(dual ? rows.num_rows() : rows.size());
  dual ? rows.Kernel(matrix) : rows.Gram(matrix);
}

// v <- (K + lambda I)^-1 v, or K^+ v for lambda = 0. Through the primal matrix G = Phi Phi^T it is
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

double GmpSolverForRows::WeightsByRefinement(RowOperator& rows, bool dual, double lambda,
                                             Vector& weights, Vector& r) {
  KernelOperator kernel(rows);
  r.setOnes(rows.num_rows());
  const double right_norm = r.norm();
  const CgOptions cg = MakeCgOptions(0);
  return Refine(
      [&](Vector& v) { ApplyDualInverse(rows, dual, lambda, v); },
      [&](const Vector& x, Vector& left) {
        left.resize(x.size());
        kernel.Apply(1, x.data(), left.data());
        left = Vector::Ones(x.size()) - left - lambda * x;
      },
      [&](const Vector& x) { return cg_internal::Target(cg, lambda, right_norm, x.norm()); },
      weights, r);
}

void GmpSolverForRows::PhiDirect(RowOperator& rows, std::span<const double> lambdas,
                                 std::span<GmpPartReport> reports) {
  const bool dual = InDualSpace(rows);
  const Index d = rows.size();
  const double right_norm = sum_.norm();
  const CgOptions cg = MakeCgOptions(0);
  PrepareDirect(rows, dual);
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const double lambda = lambdas[l];
    Eigen::Map<Vector> phi(solutions_.data() + l * d, d);
    direct_.Prepare(lambda, options_.rank_tolerance,
                    static_cast<Index>(lambdas.size()) >= kManyLambdas);
    double norm = 0;
    if (dual) {
      WeightsByRefinement(rows, true, lambda, solution_, residual_);
      rows.WeightedSum(solution_.data(), phi.data());
      product_.resize(d);
      rows.WeightedSum(residual_.data(), product_.data());  // Phi times the dual's residual
      norm = product_.norm();
    } else {
      residual_ = sum_;
      norm = Refine(
          [&](Vector& v) { direct_.Solve(v.data()); },
          [&](const Vector& x, Vector& left) {
            left.resize(d);
            rows.Apply(1, x.data(), left.data());
            left = sum_ - left - lambda * x;
          },
          [&](const Vector& x) { return cg_internal::Target(cg, lambda, right_norm, x.norm()); },
          solution_, residual_);
      phi = solution_;
    }
    const bool good =
        lambda == 0 || norm <= cg_internal::Target(cg, lambda, right_norm, phi.norm());
    reports[l] = {true,       0,
                  norm,       right_norm,
                  phi.norm(), good ? CgReport::Stop::kConverged : CgReport::Stop::kStagnated};
  }
}

GmpPartReport GmpSolverForRows::SolveWeights(RowOperator& rows, double lambda,
                                             Eigen::Ref<Vector> weights) {
  const Index n = rows.num_rows();
  const int budget = lambda == 0 && options_.solver == GmpSolver::kAuto ? 0 : CgBudget(rows, 1);
  if (budget > 0) {
    KernelOperator kernel(rows);
    solution_.resize(n);
    residual_.setOnes(n);
    const CgReport report =
        SolveOne(kernel, rows.FitsCache(), residual_, lambda, MakeCgOptions(budget), solution_);
    if (report.converged() || budget == options_.max_iterations) {
      weights = solution_;
      return {false,
              report.iterations,
              report.residual_norm,
              std::sqrt(static_cast<double>(n)),
              weights.norm(),
              report.stop};
    }
  }
  const bool dual = InDualSpace(rows);
  PrepareDirect(rows, dual);
  direct_.Prepare(lambda, options_.rank_tolerance);
  double norm = WeightsByRefinement(rows, dual, lambda, solution_, residual_);
  weights = solution_;
  double right_norm = std::sqrt(static_cast<double>(n));
  const double target = cg_internal::Target(MakeCgOptions(0), lambda, right_norm, weights.norm());
  const bool good = lambda == 0 || norm <= target;
  if (lambda == 0) {
    // K alpha = 1 has no solution in general; that of least squares leaves Phi (1 - K alpha) = 0.
    product_.resize(rows.size());
    rows.WeightedSum(residual_.data(), product_.data());
    norm = product_.norm();
    residual_.setOnes(n);
    rows.WeightedSum(residual_.data(), product_.data());
    right_norm = product_.norm();
  }
  return {true,           0,
          norm,           right_norm,
          weights.norm(), good ? CgReport::Stop::kConverged : CgReport::Stop::kStagnated};
}

}  // namespace alcedo
