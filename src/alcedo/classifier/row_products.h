// Products of rows with the weights of all classes, and back: what a pass over the rows consists
// of. Split by sizes alone and added in the order of the rows, whatever the number of threads.
#pragma once

#include <functional>

#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo {

// Some consecutive rows.
struct RowChunk {
  const float* rows;
  Index begin, count, width, stride;
};

// Calls body for chunks of at most `most` rows (0: what takes about 16 MB), in order; rows in
// memory are not copied.
using ChunkBody = std::function<void(const RowChunk&)>;
void ForEachChunk(const SampleSource& rows, const ChunkBody& body, Index most = 0);
void ForEachChunk(const RowsView& rows, const ChunkBody& body);

// scores = chunk weights', chunk.count x weights.rows(); weights may have more columns than the
// chunk, which are not used.
void MultiplyRows(const RowChunk& chunk, const RowsView& weights, Rows& scores, int threads);

// weights += factors chunk; factors are weights.rows() x chunk.count, with a row stride. Weights
// may have more columns than the chunk, which stay as they are.
void AddWeightedRows(const RowChunk& chunk, const float* factors, Index stride, Rows& weights,
                     int threads);

// rows weights' + constant, rows.rows() x weights.rows(). Requires finite rows of the dimension of
// the weights, and of a squared norm of at most most_squares.
Matrix ScoreRows(const Rows& weights, const Vector& constant, const RowsView& rows,
                 double most_squares, int threads);

}  // namespace alcedo
