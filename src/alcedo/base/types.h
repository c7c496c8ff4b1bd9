// The few types that cross module borders.
//
// One layout rule holds for the whole library: one row per item, row-major. Descriptors are N x d,
// encodings N x D, image vectors n x D. The paper's Phi (D x N) is the transpose of our rows.
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "alcedo/base/index.h"

namespace alcedo {

static_assert(std::is_same_v<Index, Eigen::Index>);

// Many items, one per row. Storage is float: what comes from images is not more precise than that.
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowsView = Eigen::Ref<const Rows>;

// One vector that was computed: a pooled representation, a set of weights. Double, because weights
// scale with the inverse square of the encodings and would leave the range of float.
using Vector = Eigen::VectorXd;
using VectorView = Eigen::Ref<const Vector>;

// Several computed vectors, one per row: a path of lambdas, a kernel matrix.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Ref<const Matrix>;

}  // namespace alcedo
