#include "alcedo/linalg/shifted_solver.h"

#include <algorithm>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {

double* ShiftedSolver::Reset(Index n) {
  n_ = n;
  rank_ = 0;
  have_eigen_ = false;
  matrix_.resize(std::max<std::size_t>(matrix_.size(), n * n));
  return matrix_.data();
}

void ShiftedSolver::ComputeEigen() {
  if (have_eigen_) return;
  vectors_.resize(std::max<std::size_t>(vectors_.size(), n_ * n_));
  values_.resize(n_);
  std::copy_n(matrix_.data(), n_ * n_, vectors_.data());
  blas::SymmetricEigen(vectors_.data(), n_, values_.data());
  have_eigen_ = true;
}

void ShiftedSolver::Prepare(double shift, double rank_tolerance, bool many_shifts) {
  use_eigen_ = shift == 0 || many_shifts || have_eigen_;
  rank_ = n_;
  if (!use_eigen_) {
    factor_.resize(std::max<std::size_t>(factor_.size(), n_ * n_));
    std::copy_n(matrix_.data(), n_ * n_, factor_.data());
    for (Index i = 0; i < n_; ++i) factor_[i * n_ + i] += shift;
    if (blas::CholeskyFactor(factor_.data(), n_)) return;
    use_eigen_ = true;
  }
  ComputeEigen();
  inverse_.resize(n_);
  const double largest = n_ > 0 ? std::max(values_[n_ - 1], 0.0) : 0.0;
  const double rounding =
      static_cast<double>(n_) * std::numeric_limits<double>::epsilon() * largest;
  double threshold = shift > 0 ? 0 : rank_tolerance * rank_tolerance * largest;
  // A shift below the rounding errors of the matrix cannot tell small eigenvalues from zero;
  // dividing by it would only magnify them.
  if (shift < rounding) threshold = std::max(threshold, rounding);
  for (Index i = 0; i < n_; ++i) {
    const double value = std::max(values_[i], 0.0);
    const bool counts = value > threshold || shift >= rounding;
    inverse_[i] = counts && value + shift > 0 ? 1 / (value + shift) : 0.0;
    if (!counts || value + shift == 0) --rank_;
  }
}

void ShiftedSolver::Solve(double* x) {
  if (!use_eigen_) {
    blas::CholeskySolve(factor_.data(), n_, x);
    return;
  }
  const Eigen::Map<const EigenMatrix> vectors(vectors_.data(), n_, n_);
  Eigen::Map<EigenVector> solution(x, n_);
  coefficients_.resize(n_);
  Eigen::Map<EigenVector> c(coefficients_.data(), n_);
  c.noalias() = vectors * solution;
  c.array() *= Eigen::Map<const EigenVector>(inverse_.data(), n_).array();
  solution.noalias() = vectors.transpose() * c;
}

double ShiftedSolver::InverseNormBound() {
  if (!use_eigen_) return blas::InverseTrace(factor_.data(), n_);
  if (rank_ < n_) return std::numeric_limits<double>::infinity();
  // Twice: the rounding errors of an eigenvalue are at most as large as it and the shift together.
  return n_ == 0 ? 0 : 2 * *std::max_element(inverse_.begin(), inverse_.begin() + n_);
}

void ShiftedSolver::Multiply(const double* x, double* y) const {
  for (Index i = 0; i < n_; ++i) {
    const double* row = matrix_.data() + i * n_;
    double sum = row[i] * x[i];
    for (Index j = 0; j < i; ++j) {
      sum += row[j] * x[j];
      y[j] += row[j] * x[i];
    }
    y[i] = sum;
  }
}

}  // namespace alcedo
