#include "alcedo/linalg/float_gram.h"

#include <algorithm>
#include <cmath>

#include "alcedo/linalg/blas.h"

namespace alcedo {

bool FloatGram::Reset(const float* rows, Index count, Index width) {
  n_ = width;
  const auto size = static_cast<std::size_t>(n_ * n_);
  if (matrix_.size() < size) {
    matrix_.resize(size);
    factor_.resize(size);
  }
  std::fill_n(matrix_.data(), size, 0.0f);
  blas::AddGram(rows, count, width, width, matrix_.data(), width);
  trace_ = 0;
  for (Index i = 0; i < n_; ++i) trace_ += matrix_[static_cast<std::size_t>(i * n_ + i)];
  // Squares that underflow would not be seen by the factorisation.
  return trace_ > 1e-20 && trace_ < 1e30;
}

bool FloatGram::Prepare(double shift) {
  for (Index i = 0; i < n_; ++i) {
    std::copy_n(matrix_.data() + i * n_, i + 1, factor_.data() + i * n_);
    factor_[static_cast<std::size_t>(i * n_ + i)] += static_cast<float>(shift);
  }
  return blas::CholeskyFactor(factor_.data(), n_);
}

void FloatGram::Solve(double* x) {
  // Near 1, so that no right side leaves the range of float.
  double largest = 0;
  for (Index i = 0; i < n_; ++i) largest = std::max(largest, std::abs(x[i]));
  if (!(largest > 0)) return;
  side_.resize(static_cast<std::size_t>(n_));
  for (Index i = 0; i < n_; ++i) {
    side_[static_cast<std::size_t>(i)] = static_cast<float>(x[i] / largest);
  }
  blas::CholeskySolve(factor_.data(), n_, side_.data());
  for (Index i = 0; i < n_; ++i) x[i] = largest * side_[static_cast<std::size_t>(i)];
}

}  // namespace alcedo
