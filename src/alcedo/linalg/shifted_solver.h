// Direct solution of (M + shift I) x = b for one symmetric positive semi-definite M and many
// shifts.
#pragma once

#include <vector>

#include "alcedo/base/index.h"

namespace alcedo {

// Reused for one matrix after the other: memory is kept.
class ShiftedSolver {
 public:
  // The n x n matrix to fill: its lower triangle, row-major. Whatever was there before is
  // forgotten.
  double* Reset(Index n);

  // Prepares solves for one shift. shift > 0: a Cholesky factorisation; if rounding has made the
  // matrix indefinite, or `many_shifts` are to come, its eigenvalues, computed once. shift = 0: the
  // pseudo-inverse, which takes eigenvalues below rank_tolerance^2 times the largest as zero
  // (rank_tolerance is relative to singular values of the rows behind M).
  void Prepare(double shift, double rank_tolerance, bool many_shifts = false);

  // Solves in place, for the shift prepared last.
  void Solve(double* x);

  // A bound of the norm of (M + shift I)^-1 for the shift prepared last; infinity if eigenvalues
  // were left out. After a Cholesky factorisation this takes as long as it, and Solve() needs
  // Prepare() again.
  double InverseNormBound();

  // y = M x.
  void Multiply(const double* x, double* y) const;

  Index size() const { return n_; }
  // How many eigenvalues count: n for any shift that is more than a rounding error of the matrix.
  Index rank() const { return rank_; }

 private:
  void ComputeEigen();

  Index n_ = 0;
  Index rank_ = 0;
  bool use_eigen_ = false;
  bool have_eigen_ = false;
  std::vector<double> matrix_;
  std::vector<double> factor_;
  std::vector<double> vectors_, values_, inverse_, coefficients_;
};

}  // namespace alcedo
