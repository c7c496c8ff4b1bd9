// What the encoders share, and how each is prepared. Private to this module.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encoders.h"

namespace alcedo::encoding {

// Throws InvalidArgument("`name`: row 3, column 1 is NaN") for the first value that is not finite;
// rows count from `first_row`.
void RequireFinite(std::string_view name, const float* values, Index rows, Index cols,
                   Index first_row = 0);

// Descriptors that were checked, and lie in memory without gaps.
class InputRows {
 public:
  // Borrows the descriptors if they have no gaps. Throws InvalidArgument if they do not have
  // `dimension` columns (no rows may have any number) or are not finite.
  InputRows(const RowsView& descriptors, Index dimension);
  InputRows(const InputRows&) = delete;
  InputRows& operator=(const InputRows&) = delete;

  Index count() const { return count_; }
  Index dimension() const { return dimension_; }
  const float* data() const { return data_; }
  const float* Row(Index n) const { return data_ + n * dimension_; }
  Eigen::Map<const EigenRows> View() const { return {data_, count_, dimension_}; }

 private:
  Index count_, dimension_;
  Rows copy_;
  const float* data_;
};

// Rows for results, not initialised.
Rows UninitializedRows(Index rows, Index cols);

// Calls body(begin, end) for chunks of rows. The bounds do not depend on the number of threads, so
// that results cannot either, though the arithmetic of a row may depend on its neighbours (BLAS).
template <class Body>
void ForEachChunk(Index count, Index rows_per_chunk, int threads, const Body& body) {
  ParallelFor((count + rows_per_chunk - 1) / rows_per_chunk, threads, [&](Index chunk) {
    const Index begin = chunk * rows_per_chunk;
    body(begin, std::min(count, begin + rows_per_chunk));
  });
}

// At least one codeword of at least one dimension, finite, and no weights or one for each.
void CheckCodebook(const Codebook& codebook);

// |a - b|^2 in double: exact enough to compare distances of codewords far from the origin, and in
// range for any floats.
double SquaredDistance(const float* a, const float* b, Index dimension);

// The `nearest` codewords of every row (K at most), by increasing codeword and not by
// distance: count x k numbers.
struct NearestCodewords {
  Index k = 0;
  std::vector<std::int32_t> codewords;
};
NearestCodewords FindNearest(const NearestCenters& centers, int nearest, const InputRows& rows,
                             int threads);

// Encodings of K blocks of size 1, with the k weights of every row for those codewords.
Encodings FromWeights(NearestCodewords nearest, Rows weights, Index num_codewords);

// An encoder with its tables. Immutable, and used by several threads at once.
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual Encodings Encode(const InputRows& rows, int threads, EncodeReport& report) const = 0;
};

// What options and vocabulary must satisfy.
void Check(const BovEncoder& encoder);
void Check(const SoftBovEncoder& encoder);
void Check(const LlcEncoder& encoder);
void Check(const SparseCodingEncoder& encoder);
void Check(const VladEncoder& encoder);
void Check(const SuperVectorEncoder& encoder);
void Check(const FisherEncoder& encoder);
void Check(const EmkEncoder& encoder);

// Borrows the encoder, which was checked.
using PreparedPointer = std::unique_ptr<const Prepared>;
PreparedPointer Prepare(const BovEncoder& encoder, int threads);
PreparedPointer Prepare(const SoftBovEncoder& encoder, int threads);
PreparedPointer Prepare(const LlcEncoder& encoder, int threads);
PreparedPointer Prepare(const SparseCodingEncoder& encoder, int threads);
PreparedPointer Prepare(const VladEncoder& encoder, int threads);
PreparedPointer Prepare(const SuperVectorEncoder& encoder, int threads);
PreparedPointer Prepare(const FisherEncoder& encoder, int threads);
PreparedPointer Prepare(const EmkEncoder& encoder, int threads);

}  // namespace alcedo::encoding
