// Random rows for tests. Not installed.
#pragma once

#include <cstdint>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo::test {

// Normal values around `shift`, row by row.
inline Rows RandomRows(Rng& rng, Index rows, Index cols, double shift = 0) {
  Rows values(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) values(i, j) = static_cast<float>(rng.Normal() + shift);
  }
  return values;
}

inline Rows RandomRows(Index rows, Index cols, std::uint64_t seed, double shift = 0) {
  Rng rng(seed);
  return RandomRows(rng, rows, cols, shift);
}

// K of Eq. 10, by loops.
inline Matrix NaiveKernel(const Rows& rows) {
  Matrix kernel = Matrix::Zero(rows.rows(), rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.rows(); ++j) {
      for (Index d = 0; d < rows.cols(); ++d) kernel(i, j) += double{rows(i, d)} * rows(j, d);
    }
  }
  return kernel;
}

}  // namespace alcedo::test
