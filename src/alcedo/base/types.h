// The few types that cross module borders.
//
// One layout rule holds for the whole library: one row per item, row-major. Descriptors are N x d,
// encodings N x D, image vectors n x D. The paper's Phi (D x N) is the transpose of our rows.
#pragma once

#include "alcedo/base/index.h"
#include "alcedo/base/owned_array.h"

namespace alcedo {

// Many items, one per row. Storage is float: what comes from images is not more precise than that.
// A view is for arguments to read, a span for arguments to write. The plain Eigen type is for what
// wants one by name, such as Eigen::Map and Eigen::LLT, and for nothing that others see.
using Rows = OwnedArray<float, 2>;
using RowsView = ArrayView<float, 2>;
using RowsSpan = ArraySpan<float, 2>;
using EigenRows = Rows::Plain;

// One vector that was computed: a pooled representation, a set of weights. Double, because weights
// scale with the inverse square of the encodings and would leave the range of float.
using Vector = OwnedArray<double, 1>;
using VectorView = ArrayView<double, 1>;
using VectorSpan = ArraySpan<double, 1>;
using EigenVector = Vector::Plain;

// Several computed vectors, one per row: a path of lambdas, a kernel matrix.
using Matrix = OwnedArray<double, 2>;
using MatrixView = ArrayView<double, 2>;
using MatrixSpan = ArraySpan<double, 2>;
using EigenMatrix = Matrix::Plain;

}  // namespace alcedo
