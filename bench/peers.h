// What a user would write instead, as well as it can be written with public libraries. All in
// float, as such code is, and on one thread.
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/vocabulary/random_fourier.h"

namespace alcedo::bench {

struct PeerResult {
  std::vector<float> x;
  int iterations = 0;
};

// Conjugate gradients with two cblas_sgemv per iteration, to a relative residual of the recurrence.
PeerResult CgWithSgemv(const Rows& rows, double lambda, double tolerance, int max_iterations);

// cblas_ssyrk, then spotrf and spotrs.
PeerResult GramCholeskyOpenBlas(const Rows& rows, double lambda);

// Eigen: rankUpdate, LLT.
PeerResult GramCholeskyEigen(const Rows& rows, double lambda);

// Every block in its smaller space: gather, ssyrk, spotrf, spotrs.
PeerResult BlockwiseLapack(const Encodings& encodings, double lambda);

// The weights of every block: kernel by ssyrk, spotrf, spotrs. `smaller` solves in the primal where
// that is smaller (by the matrix inversion lemma); the formula as written is always in the dual.
PeerResult BlockwiseLapackWeights(const Encodings& encodings, double lambda, bool smaller);

// Eigen's matrix product and its array cosine.
Rows EmkWithEigen(const RandomFourier& fourier, const Rows& rows);

// ||b - (A + lambda) x|| / ||b|| in double, for any x.
double TrueResidual(const Encodings& encodings, double lambda, const Vector& x);

void UseOneBlasThread();

}  // namespace alcedo::bench
