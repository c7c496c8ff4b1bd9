#include "alcedo/classifier/newton_preconditioner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alcedo/base/random.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

constexpr Index kMostRank = 64;

// The matrix of products plus bias^2, times thin rows.
Matrix Times(const RowsView& gram, double bias, const Matrix& rows) {
  const Index n = gram.rows(), m = rows.rows();
  const Rows narrow = rows.cast<float>();
  Rows products(m, n);
  blas::MultiplyTransposed(narrow.data(), m, n, n, gram.data(), n, gram.outerStride(),
                           products.data(), n);
  Matrix result = products.cast<double>();
  for (Index r = 0; r < m; ++r) result.row(r).array() += bias * bias * rows.row(r).sum();
  return result;
}

// Replaces rows by L^-1 rows, for the lower triangle L.
void SolveLower(const Matrix& factor, Matrix& rows) {
  for (Index r = 0; r < rows.rows(); ++r) {
    for (Index k = 0; k < r; ++k) rows.row(r) -= factor(r, k) * rows.row(k);
    rows.row(r) /= factor(r, r);
  }
}

// Orthonormal rows of the same span; false if there is no such span in double.
bool Orthonormalise(Matrix& rows) {
  Matrix products = Matrix::Zero(rows.rows(), rows.rows());
  blas::AddKernel(rows.data(), rows.rows(), rows.cols(), rows.cols(), products.data(),
                  products.cols());
  // Rounding of the products, which are in float.
  const double little = 1e-12 * products.diagonal().sum();
  products.diagonal().array() += little;
  if (!(little > 0) || !blas::CholeskyFactor(products.data(), rows.rows())) return false;
  SolveLower(products, rows);
  return true;
}

}  // namespace

NewtonPreconditioner::NewtonPreconditioner(const RowsView& gram, double bias) {
  const Index n = gram.rows(), m = std::min(kMostRank, n / 8);
  const double trace = gram.diagonal().cast<double>().sum() + bias * bias * static_cast<double>(n);
  rest_ = trace > 0 ? trace / static_cast<double>(n) : 1;
  if (m == 0) return;
  Rng random(0);
  Matrix start(m, n);
  for (Index i = 0; i < start.size(); ++i) start.data()[i] = random.Normal();
  Matrix thin = Times(gram, bias, start);
  if (!Orthonormalise(thin)) return;

  // Nystroem: Y (T Y^T)^-1 Y^T for orthonormal rows T and Y = T times the matrix. A shift keeps
  // what rounding makes of the smallest eigenvalues positive.
  Matrix image = Times(gram, bias, thin);
  const double shift = 1e-6 * trace / static_cast<double>(n);
  image += shift * thin;
  Matrix core = thin * image.transpose();
  core = 0.5 * (core + Matrix(core.transpose()));
  if (!blas::CholeskyFactor(core.data(), m)) return;
  SolveLower(core, image);
  Matrix squares = Matrix::Zero(m, m);
  blas::AddKernel(image.data(), m, n, n, squares.data(), m);
  Vector values(m);
  blas::SymmetricEigen(squares.data(), m, values.data());
  // The largest first, without those that are nothing beside the largest.
  std::vector<Index> kept;
  for (Index r = m; r-- > 0;) {
    if (values[r] > 1e-6 * values[m - 1]) kept.push_back(r);
  }
  const auto rank = static_cast<Index>(kept.size());
  values_.resize(rank);
  Matrix basis(rank, n);
  for (Index r = 0; r < rank; ++r) {
    values_[r] = std::max(0.0, values[kept[r]] - shift);
    basis.row(r) = squares.row(kept[r]) * image / std::sqrt(values[kept[r]]);
  }
  basis_ = basis.cast<float>();
  samples_ = basis_.transpose();
  rest_ = std::max((trace - values_.sum()) / static_cast<double>(n - rank), 1e-6 * rest_);
}

void NewtonPreconditioner::Prepare(const Rows& free, const Rows& shifts) {
  const Index classes = free.rows(), n = free.cols(), m = rank();
  weights_ = free.array() / (shifts.array() + static_cast<float>(rest_));
  factors_.assign(static_cast<std::size_t>(classes), Matrix());
  if (m == 0) return;
  Rows inside(n, m), products(m, m);
  for (Index c = 0; c < classes; ++c) {
    Index count = 0;
    for (Index i = 0; i < n; ++i) {
      if (weights_(c, i) > 0) inside.row(count++) = std::sqrt(weights_(c, i)) * samples_.row(i);
    }
    products.setZero();
    blas::AddGram(inside.data(), count, m, m, products.data(), m);
    Matrix& factor = factors_[c];
    factor = products.cast<double>();
    // An eigenvalue that is not above the rest is taken for the rest.
    for (Index r = 0; r < m; ++r) factor(r, r) += 1 / std::max(values_[r] - rest_, 1e-6 * rest_);
    if (!blas::CholeskyFactor(factor.data(), m)) factor.resize(0, 0);
  }
}

void NewtonPreconditioner::Apply(const Rows& residuals, const std::vector<char>& wanted,
                                 Rows& solutions) const {
  const Index n = residuals.cols(), m = rank();
  std::vector<Index> rows;
  for (Index c = 0; c < residuals.rows(); ++c) {
    if (wanted[c] != 0) rows.push_back(c);
  }
  const auto count = static_cast<Index>(rows.size());
  Rows weighted(count, n), inside(count, m), corrections = Rows::Zero(count, n);
  for (Index r = 0; r < count; ++r) {
    weighted.row(r) = weights_.row(rows[r]).array() * residuals.row(rows[r]).array();
  }
  if (m > 0) {
    blas::MultiplyTransposed(weighted.data(), count, n, n, basis_.data(), m, n, inside.data(), m);
    for (Index r = 0; r < count; ++r) {
      const Matrix& factor = factors_[rows[r]];
      Vector x = Vector::Zero(m);
      if (factor.size() > 0) {
        x = inside.row(r).cast<double>();
        blas::CholeskySolve(factor.data(), m, x.data());
      }
      inside.row(r) = -x.cast<float>();
    }
    blas::AddProduct(inside.data(), count, m, m, basis_.data(), n, n, corrections.data(), n);
  }
  for (Index r = 0; r < count; ++r) {
    solutions.row(rows[r]) =
        weighted.row(r).array() + weights_.row(rows[r]).array() * corrections.row(r).array();
  }
}

}  // namespace alcedo
