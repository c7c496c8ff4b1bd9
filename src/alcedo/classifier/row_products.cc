#include "alcedo/classifier/row_products.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/classifier/svm_problem.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

constexpr double kChunkBytes = 16 << 20;
constexpr Index kTileRows = 128;      // of scores
constexpr Index kTileColumns = 4096;  // of weights

Index Parts(Index size, Index part) { return (size + part - 1) / part; }

Index ChunkRows(Index width) {
  const double row_bytes = sizeof(float) * static_cast<double>(std::max<Index>(width, 1));
  return static_cast<Index>(std::clamp(kChunkBytes / row_bytes, 128.0, 8192.0));
}

}  // namespace

void ForEachChunk(const SampleSource& rows, const ChunkBody& body, Index most) {
  if (most == 0) most = ChunkRows(rows.dimension());
  Rows scratch;
  for (Index begin = 0; begin < rows.rows(); begin += most) {
    const Index count = std::min(most, rows.rows() - begin);
    const float* values = rows.Chunk(begin, count, scratch);
    body({values, begin, count, rows.dimension(), rows.dimension()});
  }
}

void ForEachChunk(const RowsView& rows, const ChunkBody& body) {
  const Index most = ChunkRows(rows.cols()), stride = rows.outerStride();
  for (Index begin = 0; begin < rows.rows(); begin += most) {
    const Index count = std::min(most, rows.rows() - begin);
    body({rows.data() + begin * stride, begin, count, rows.cols(), stride});
  }
}

void MultiplyRows(const RowChunk& chunk, const RowsView& weights, Rows& scores, int threads) {
  scores.resize(chunk.count, weights.rows());
  if (chunk.width == 0) {
    scores.setZero();
    return;
  }
  ParallelFor(Parts(chunk.count, kTileRows), threads, [&](Index tile) {
    const Index begin = tile * kTileRows;
    blas::MultiplyTransposed(chunk.rows + begin * chunk.stride,
                             std::min(kTileRows, chunk.count - begin), chunk.width, chunk.stride,
                             weights.data(), weights.rows(), weights.outerStride(),
                             scores.data() + begin * scores.cols(), scores.cols());
  });
}

void AddWeightedRows(const RowChunk& chunk, const float* factors, Index stride, Rows& weights,
                     int threads) {
  ParallelFor(Parts(chunk.width, kTileColumns), threads, [&](Index tile) {
    const Index begin = tile * kTileColumns;
    blas::AddProduct(factors, weights.rows(), chunk.count, stride, chunk.rows + begin,
                     std::min(kTileColumns, chunk.width - begin), chunk.stride,
                     weights.data() + begin, weights.cols());
  });
}

Matrix ScoreRows(const Rows& weights, const Vector& constant, const RowsView& rows,
                 double most_squares, int threads) {
  if (rows.cols() != weights.cols()) {
    throw InvalidArgument(fmt::format("rows must have the {} dimensions of the model, got {}",
                                      weights.cols(), rows.cols()));
  }
  Matrix scores(rows.rows(), weights.rows());
  ParallelFor(Parts(rows.rows(), kTileRows), threads, [&](Index tile) {
    const Index begin = tile * kTileRows, count = std::min(kTileRows, rows.rows() - begin);
    const float* part = rows.data() + begin * rows.outerStride();
    CheckRows(part, count, rows.cols(), rows.outerStride(), begin, "rows", most_squares);
    Rows products = Rows::Zero(count, weights.rows());
    if (rows.cols() > 0) {
      blas::MultiplyTransposed(part, count, rows.cols(), rows.outerStride(), weights.data(),
                               weights.rows(), weights.cols(), products.data(), weights.rows());
    }
    scores.middleRows(begin, count) = products.cast<double>().rowwise() + constant.transpose();
  });
  return scores;
}

}  // namespace alcedo
