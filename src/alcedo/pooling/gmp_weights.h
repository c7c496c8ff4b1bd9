// GMP as weighted pooling (section 4 of the paper): the weights alpha with phi = Phi alpha,
//
//   alpha = (K + lambda I)^-1 1,   K = Phi^T Phi                        (Eq. 10)
//
// which depend on the patch-to-patch kernel K alone. For lambda = 0, alpha = K^+ 1.
//
// Weights can be negative. The non-negative variant is
//
//   alpha = argmin { 1/2 a^T (K + lambda I) a - 1^T a : a >= 0 },  lambda > 0,
//
// whose unconstrained minimum is Eq. 10. Its phi = Phi alpha minimises
// sum_n max(0, 1 - phi_n . phi)^2 + lambda ||phi||^2: similarities of at least 1 instead of
// exactly 1.
#pragma once

#include <span>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/gmp.h"

namespace alcedo {

struct WeightsResult {
  Vector weights;  // size N
  SolveReport report;
};

// Eq. 10 from the encodings. WeightedSum(encodings, weights) is PoolGmp's phi. Rows of zeros have
// the weight 1 / lambda (0 for lambda = 0); they add nothing.
WeightsResult GmpWeights(const Encodings& encodings, const GmpOptions& options = {});

// The non-negative variant, by Newton's method: requires lambda > 0 (relative lambda: unless all
// rows are zero) and the solver auto. max_iterations bounds the Newton steps.
WeightsResult GmpWeightsNonNegative(const Encodings& encodings, const GmpOptions& options = {});

// The same from a kernel matrix alone: symmetric (to 1e-5 of its largest entry), finite, positive
// semi-definite; anything else is an InvalidArgument. Solved directly: GmpWeights refuses
// solvers other than auto, direct and dual.
WeightsResult GmpWeights(const MatrixView& kernel, const GmpOptions& options = {});
WeightsResult GmpWeightsNonNegative(const MatrixView& kernel, const GmpOptions& options = {});

// The same from the diagonal blocks of a block-diagonal kernel. Weights follow the order of the
// blocks. Relative lambda refers to the whole kernel.
WeightsResult GmpWeights(std::span<const Matrix> diagonal_blocks, const GmpOptions& options = {});
WeightsResult GmpWeightsNonNegative(std::span<const Matrix> diagonal_blocks,
                                    const GmpOptions& options = {});

}  // namespace alcedo
