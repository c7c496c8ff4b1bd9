// Solves GMP for one set of rows: the whole problem, or one block of a block-diagonal one. This is
// where a solver is chosen.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/cg.h"
#include "alcedo/linalg/float_gram.h"
#include "alcedo/linalg/mixed_cg.h"
#include "alcedo/linalg/row_operator.h"
#include "alcedo/linalg/shifted_cg.h"
#include "alcedo/linalg/shifted_solver.h"
#include "alcedo/pooling/gmp.h"

namespace alcedo {

// How one set of rows was solved for one lambda. Norms, not ratios, so that blocks can be added up.
struct GmpPartReport {
  bool direct = false;
  int iterations = 0;
  double residual_norm = 0;  // of Eq. 6 for phi, of Eq. 10 for weights
  double right_norm = 0;     // of the right side
  double solution_norm = 0;
  double error_norm = 0;  // bounds the distance from the exact solution; infinity: not known
  CgReport::Stop stop = CgReport::Stop::kConverged;
  // What rounding leaves of rows that cancel: less than this cannot be asked for.
  double residual_floor = 0;
  double error_floor = 0;

  double relative_error() const {
    return error_norm == 0     ? 0
           : solution_norm > 0 ? error_norm / solution_norm
                               : std::numeric_limits<double>::infinity();
  }
};

// Beyond this a direct solver would not finish in useful time or memory.
inline constexpr double kMaxMatrixBytes = 512.0 * 1024 * 1024;

// Of a double, and of an error that nothing bounds.
inline constexpr double kRounding = std::numeric_limits<double>::epsilon();
inline constexpr double kUnknownError = std::numeric_limits<double>::infinity();

// From this many lambdas on, eigenvalues once are cheaper than a Cholesky factorisation each.
inline constexpr Index kManyLambdas = 24;

// What a solver is expected to cost, in nanoseconds: measured on one core, used only to compare.
struct GmpCost {
  double cg_iteration = 0;
  double cg_checks = 0;  // what conjugate gradients cost besides their iterations
  double direct = 0;
  bool direct_fits = true;  // its matrix is at most 512 MiB
};
// in_cache: one lambda on few dense rows, for which iterations run in float. float_first: the
// direct solver has its matrix in float.
GmpCost EstimateCost(Index num_rows, Index dimension, Index num_values, Index num_lambdas,
                     bool in_cache, bool float_first = false);

// Reused for block after block: memory is kept.
class GmpSolverForRows {
 public:
  // squared_norm: of all the rows that there are, or more.
  GmpSolverForRows(const GmpOptions& options, double squared_norm)
      : options_(options), squared_norm_(squared_norm) {}

  // phi.row(l) for the absolute lambdas[l]; phi is lambdas x rows.size(). reports has one per
  // lambda.
  void SolvePhi(RowOperator& rows, std::span<const double> lambdas, MatrixSpan phi,
                std::span<GmpPartReport> reports);

  // The weights of Eq. 10, one per row.
  GmpPartReport SolveWeights(RowOperator& rows, double lambda, VectorSpan weights);

 private:
  // What conjugate gradients may do before the direct solver takes over, if it waits at all.
  struct CgBudget {
    int iterations = 0;
    bool direct_waits = false;
  };
  CgBudget MakeBudget(const RowOperator& rows, Index num_lambdas, bool zero) const;
  CgOptions MakeCgOptions(const CgBudget& budget) const;
  bool InDualSpace(const RowOperator& rows) const;
  // Whether the direct solver tries a matrix in float before that in double.
  bool FloatFirst(const RowOperator& rows, Index num_lambdas) const;

  // Fills solutions_ and reports for lambdas that are all zero or all positive.
  void SolveTogether(RowOperator& rows, std::span<const double> lambdas, bool zero,
                     std::span<GmpPartReport> reports);
  // Conjugate gradients for one lambda: with float iterations if the rows are in cache.
  template <class Operator>
  CgReport SolveOne(Operator& a, bool in_cache, const Vector& right, double lambda,
                    const CgOptions& cg, VectorSpan x);
  void PhiByCg(RowOperator& rows, std::span<const double> lambdas, const CgOptions& cg,
               std::span<GmpPartReport> reports);
  void PhiDirect(RowOperator& rows, std::span<const double> lambdas,
                 std::span<GmpPartReport> reports);
  // One lambda by the matrix that PrepareDirect() made; each leaves phi in solution_.
  GmpPartReport PhiWithoutLambda(RowOperator& rows, bool dual);
  GmpPartReport PhiFromKernel(RowOperator& rows, double lambda, bool by_eigenvalues);
  GmpPartReport PhiFromGram(RowOperator& rows, double lambda, bool by_eigenvalues);
  // By float_gram_ and corrections in double; may fail, and then says so.
  GmpPartReport PhiFromFloatGram(RowOperator& rows, double lambda);
  // The same from the rows themselves, for a lambda that is too small for the matrix.
  GmpPartReport PhiFromRows(RowOperator& rows, double lambda);
  // The best of these for a lambda > 0.
  GmpPartReport PhiForLambda(RowOperator& rows, bool dual, double lambda, bool by_eigenvalues);
  GmpPartReport WeightsByCgWithoutLambda(RowOperator& rows, VectorSpan weights);
  GmpPartReport WeightsDirect(RowOperator& rows, double lambda, VectorSpan weights);
  GmpPartReport WeightsWithoutLambda(RowOperator& rows, bool dual, VectorSpan weights);
  GmpPartReport WeightsFromKernel(RowOperator& rows, double lambda, VectorSpan weights);
  GmpPartReport WeightsFromPhi(RowOperator& rows, double lambda, VectorSpan weights);
  // The weights in the range of Phi^T: what is left of the ones beyond it is taken for rounding.
  GmpPartReport WeightsInRange(RowOperator& rows, double lambda, VectorSpan weights);
  void PrepareDirect(RowOperator& rows, bool dual);
  // Whether a report meets the tolerances.
  GmpPartReport FromCg(const CgReport& cg, double right_norm, double solution_norm,
                       double lambda) const;
  bool Good(const GmpPartReport& report) const;
  GmpPartReport WithFloors(GmpPartReport report, Index num_rows, double lambda) const;
  GmpPartReport Judged(GmpPartReport report) const;
  // Whether SolveRidgeByQr() fits in memory.
  static bool RowsFit(const RowOperator& rows);

  GmpOptions options_;
  double squared_norm_;
  ShiftedSolver direct_;
  FloatGram float_gram_;
  ShiftedCgWorkspace path_workspace_;
  std::vector<double> workspace_;
  MixedCgWorkspace mixed_workspace_;
  RefineScratch refine_scratch_;
  Vector sum_, solution_, residual_, product_, similarities_, weights_;
  double frobenius_ = 0;           // the norm of all rows together
  std::vector<double> solutions_;  // lambdas x dimension, contiguous
};

}  // namespace alcedo
