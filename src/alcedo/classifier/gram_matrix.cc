#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/svm_problem.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// Sides of the tiles that run in parallel. Smaller ones waste less on the diagonal, larger ones
// read (and pack) the rows less often.
constexpr Index kTile = 256;

Index Tiles(Index rows) { return (rows + kTile - 1) / kTile; }

// What a tile needs of rows wherever they are.
struct RowsAt {
  const float* values;
  Index stride;
};

// fetch(begin, count, scratch) gives RowsAt.
template <class Fetch>
Rows AllProducts(Index n, Index width, int threads, const Fetch& fetch) {
  if (width == 0) return Rows::Zero(n, n);
  Rows gram(n, n);
  const Index tiles = Tiles(n);
  ParallelFor(tiles * (tiles + 1) / 2, threads, [&](Index pair) {
    Index i = 0;
    while ((i + 1) * (i + 2) / 2 <= pair) ++i;
    const Index j = pair - i * (i + 1) / 2;
    const Index a = i * kTile, b = j * kTile;
    const Index rows = std::min(kTile, n - a), cols = std::min(kTile, n - b);
    Rows a_scratch, b_scratch;
    const RowsAt x = fetch(a, rows, a_scratch);
    const RowsAt y = i == j ? x : fetch(b, cols, b_scratch);
    if (i != j) {
      blas::MultiplyTransposed(x.values, rows, width, x.stride, y.values, cols, y.stride,
                               gram.data() + a * n + b, n);
      gram.block(b, a, cols, rows) = gram.block(a, b, rows, cols).transpose();
      return;
    }
    // Half of a tile on the diagonal would be computed twice: a quarter in two steps is.
    for (Index part = 0; part < rows; part += kTile / 4) {
      const Index height = std::min(kTile / 4, rows - part);
      blas::MultiplyTransposed(x.values + part * x.stride, height, width, x.stride, x.values,
                               part + height, x.stride, gram.data() + (a + part) * n + a, n);
    }
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < r; ++c) gram(a + c, a + r) = gram(a + r, a + c);
    }
  });
  return gram;
}

}  // namespace

Rows GramMatrix(const RowsView& rows, int threads) {
  CheckRows(rows.data(), rows.rows(), rows.cols(), rows.outerStride(), 0, "rows");
  return AllProducts(rows.rows(), rows.cols(), threads, [&](Index begin, Index, Rows&) {
    return RowsAt{rows.data() + begin * rows.outerStride(), rows.outerStride()};
  });
}

Rows GramMatrix(const SampleSource& rows, int threads) {
  CheckRows(rows, "rows", threads);
  return AllProducts(rows.rows(), rows.dimension(), threads,
                     [&](Index begin, Index count, Rows& scratch) {
                       return RowsAt{rows.Chunk(begin, count, scratch), rows.dimension()};
                     });
}

Rows CrossGram(const RowsView& a, const RowsView& b, int threads) {
  if (a.cols() != b.cols()) {
    throw InvalidArgument(fmt::format(
        "rows must have the {} dimensions of the training rows, got {}", b.cols(), a.cols()));
  }
  CheckRows(a.data(), a.rows(), a.cols(), a.outerStride(), 0, "rows");
  CheckRows(b.data(), b.rows(), b.cols(), b.outerStride(), 0, "training rows");
  if (a.cols() == 0) return Rows::Zero(a.rows(), b.rows());
  Rows products(a.rows(), b.rows());
  const Index down = Tiles(a.rows()), across = Tiles(b.rows());
  ParallelFor(down * across, threads, [&](Index tile) {
    const Index i = tile / across * kTile, j = tile % across * kTile;
    blas::MultiplyTransposed(a.data() + i * a.outerStride(), std::min(kTile, a.rows() - i),
                             a.cols(), a.outerStride(), b.data() + j * b.outerStride(),
                             std::min(kTile, b.rows() - j), b.outerStride(),
                             products.data() + i * b.rows() + j, b.rows());
  });
  return products;
}

}  // namespace alcedo
