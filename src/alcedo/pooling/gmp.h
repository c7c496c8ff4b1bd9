// Generalized max pooling (section 3 of the paper): the vector phi whose dot product with every row
// is as close to 1 as a ridge penalty allows,
//
//   phi = argmin ||Phi^T phi - 1||^2 + lambda ||phi||^2                 (Eq. 5)
//       = (Phi Phi^T + lambda I)^-1 Phi 1                               (Eq. 6)
//
// and for lambda = 0 the least-squares solution of minimum norm, (Phi^T)^+ 1 (Eq. 4).
//
// If every row has one entry the problem is solved block by block, each in its cheaper space;
// blocks without rows give zeros. No rows at all, or rows of zeros, give zeros.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/options.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/report.h"

namespace alcedo {

enum class GmpSolver {
  kAuto,    // per block, whichever a cost model expects to be faster at the accuracy asked for
  kCg,      // conjugate gradients, matrix-free
  kDirect,  // Cholesky (lambda > 0) or eigenvalues (lambda = 0) in the smaller space
  kPrimal,  // direct in the D x D space
  kDual     // direct in the N x N space
};
template <>
struct EnumNames<GmpSolver> {
  static constexpr std::array<std::pair<GmpSolver, std::string_view>, 5> values{
      {{GmpSolver::kAuto, "auto"},
       {GmpSolver::kCg, "cg"},
       {GmpSolver::kDirect, "direct"},
       {GmpSolver::kPrimal, "primal"},
       {GmpSolver::kDual, "dual"}}};
};

struct GmpOptions {
  static constexpr Label kLabel{.name = "gmp", .title = "GMP", .color = 0, .power_color = 2};

  // Regularisation of Eq. 5, >= 0. Not scale-free: the paper's values belong to its encodings.
  double lambda = 100;
  // Take lambda times trace(K) / N, the mean squared norm of the rows, as the lambda of Eq. 5.
  bool relative = false;
  GmpSolver solver = GmpSolver::kAuto;
  // Conjugate gradients stop when the true residual ||b - A phi|| <= tolerance ||b|| and the
  // guaranteed relative error of phi, ||b - A phi|| / (lambda ||phi||), is <= accuracy.
  double tolerance = 1e-6;
  double accuracy = 1e-6;  // infinity: only the residual counts
  int max_iterations = 10000;
  // lambda = 0: singular values below this times the largest of their block count as zero. Float
  // input carries noise of about 1e-7.
  double rank_tolerance = 1e-6;
  int threads = 1;
};
// Throws InvalidArgument for options outside their range.
void Check(const GmpOptions& options);
template <class Visitor>
void VisitFields(GmpOptions& o, Visitor&& visit) {
  visit("relative", o.relative, "multiply lambda by the mean squared norm of the rows");
  visit("solver", o.solver, "how to solve for GMP");
  visit("tolerance", o.tolerance, "relative residual at which conjugate gradients stop");
  visit("accuracy", o.accuracy, "guaranteed relative error at which they stop (both must hold)");
  visit("max_iterations", o.max_iterations, "most iterations of conjugate gradients");
  visit("rank_tolerance", o.rank_tolerance,
        "lambda = 0: relative size of a singular value that counts as 0");
}

struct GmpResult {
  Vector phi;  // size D
  SolveReport report;
};
GmpResult PoolGmp(const Encodings& encodings, const GmpOptions& options = {});

// The options with each of these lambdas in place of their own.
std::vector<GmpOptions> ForLambdas(std::span<const double> lambdas, const GmpOptions& options = {});

struct GmpPath {
  Matrix phi;  // one row per member of the path, in the order given
  std::vector<SolveReport> reports;
};
// Every member of a path at nearly the price of the smallest lambda: one Krylov space serves all of
// them (shifted conjugate gradients), or one Gram matrix. Members share it if they differ in
// lambda, relative and threads alone (the most threads of any are used); others are solved by
// themselves. Lambdas may repeat and come in any order.
GmpPath PoolGmpPath(const Encodings& encodings, std::span<const GmpOptions> path);

}  // namespace alcedo
