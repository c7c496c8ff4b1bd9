#include "alcedo/pooling/kernel_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {

double CheckKernel(const MatrixView& kernel, const std::string& name) {
  const Index size = kernel.rows();
  if (kernel.cols() != size) {
    throw InvalidArgument(fmt::format("{} must be square, got {} x {}", name, size, kernel.cols()));
  }
  const auto refuse = [&](Index row, Index column, const char* what) {
    throw InvalidArgument(fmt::format("{}: row {}, column {} is {}, {}", name, row, column,
                                      kernel(row, column), what));
  };
  double largest = 0;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      if (!std::isfinite(kernel(i, j))) refuse(i, j, "not a finite number");
      largest = std::max(largest, std::abs(kernel(i, j)));
    }
  }
  const double slack = 1e-5 * largest;
  const Vector norms = kernel.diagonal().cwiseMax(0).cwiseSqrt();
  for (Index i = 0; i < size; ++i) {
    if (kernel(i, i) < -slack) refuse(i, i, "a negative diagonal: not positive semi-definite");
    for (Index j = 0; j < size; ++j) {
      if (std::abs(kernel(i, j) - kernel(j, i)) > slack) refuse(i, j, "not symmetric");
      if (std::abs(kernel(i, j)) > norms[i] * norms[j] + slack) {
        refuse(i, j, "more than the diagonal allows: not positive semi-definite");
      }
    }
  }
  return slack;
}

void CheckPositive(const MatrixView& kernel, const std::string& name) {
  const double trace = kernel.trace();
  if (!(trace > 0)) return;  // all zero, by the checks above
  Matrix shifted = kernel;
  shifted.diagonal().array() += 1e-6 * trace;
  if (!blas::CholeskyFactor(shifted.data(), shifted.rows())) {
    throw InvalidArgument(name +
                          " is not positive semi-definite: it is not a kernel of dot products");
  }
}

}  // namespace alcedo
