// The encodings of one image's patches: N rows of blocks.
//
// Space is D = num_blocks x block_size. A row holds one or more entries, each a block index and
// block_size values; what it does not hold is zero. Dense rows are one block of size D; hard BOV is
// block size 1 with one entry per row; VLAD, Super Vector and hard Fisher Vector have one entry per
// row of size d, d + 1 and 2d; soft Fisher Vectors and sparse codes have several entries per row.
//
// "Every row has one entry" makes the Gram matrix block-diagonal (section 3.2 of the paper), and
// this type knows it. A Fisher Vector of 256 Gaussians and 10,000 patches takes 5 MB here, 1,311 MB
// dense.
//
// Values are float, as encoders make them, or double, as others may have computed them: then every
// pooling uses all their digits. The largest magnitude of doubles must be 0 or between 1e-70 and
// 1e70, so that products of four of them stay in the range of double.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// Immutable. Copies are cheap and share the values.
class Encodings {
 public:
  // Dense rows, N x D. Like all constructions it checks that every value is finite, and throws
  // InvalidArgument naming the row and the column of the first that is not. N may be 0, D may not.
  static Encodings Dense(Rows rows);

  // The same without a copy: the values must outlive the encodings and everything copied from them.
  // Temporaries (and maps and strided blocks, which would become temporaries) do not compile.
  static Encodings DenseView(const Rows& rows);
  static Encodings DenseView(const Rows&& rows) = delete;
  // From memory: rows of `dimension` values one after the other, without gaps.
  static Encodings DenseView(std::span<const float> values, Index dimension);

  // The same for doubles.
  static Encodings Dense(Matrix rows);
  static Encodings DenseView(const Matrix& rows);
  static Encodings DenseView(const Matrix&& rows) = delete;
  static Encodings DenseView(std::span<const double> values, Index dimension);

  // One entry per row: row n has values.row(n) in block blocks[n], and zeros elsewhere.
  // Requires 0 <= blocks[n] < num_blocks.
  static Encodings OneBlockPerRow(Rows values, std::vector<std::int32_t> blocks, Index num_blocks);
  static Encodings OneBlockPerRow(Matrix values, std::vector<std::int32_t> blocks,
                                  Index num_blocks);

  // Several entries per row: row n holds the entries offsets[n] <= e < offsets[n + 1], entry e the
  // values.row(e) in block blocks[e]. A row may be empty; a block may occur once in a row at most.
  // Requires offsets of size N + 1, not decreasing, from 0 to the number of entries.
  static Encodings SeveralBlocksPerRow(Rows values, std::vector<std::int32_t> blocks,
                                       std::vector<Index> offsets, Index num_blocks);
  static Encodings SeveralBlocksPerRow(Matrix values, std::vector<std::int32_t> blocks,
                                       std::vector<Index> offsets, Index num_blocks);

  Index num_rows() const { return num_rows_; }
  Index num_blocks() const { return num_blocks_; }
  Index block_size() const { return block_size_; }
  Index num_entries() const { return num_entries_; }
  Index dimension() const { return num_blocks_ * block_size_; }

  // True if every row has exactly one entry, so that Phi Phi^T is block-diagonal.
  bool one_block_per_row() const { return offsets_.empty(); }
  // True if that block is the only one: plain rows.
  bool dense() const { return one_block_per_row() && num_blocks_ == 1; }

  // The entries of row n are EntryBegin(n) <= e < EntryBegin(n + 1).
  Index EntryBegin(Index n) const { return offsets_.empty() ? n : offsets_[n]; }
  Index Block(Index entry) const { return blocks_.empty() ? 0 : blocks_[entry]; }
  // Whether values are double.
  bool is_double() const { return doubles_ != nullptr; }
  // use(values), with the values of all entries, block_size() for each, without gaps: const float*
  // or const double*.
  template <class Use>
  decltype(auto) WithValues(const Use& use) const {
    return is_double() ? use(doubles_) : use(values_);
  }
  // The block_size() values of an entry, of encodings that are float.
  const float* Values(Index entry) const { return values_ + entry * block_size_; }

  // The raw arrays behind the above: block indices per entry (empty: all in block 0) and the first
  // entry of each row (empty: one entry per row).
  std::span<const std::int32_t> blocks() const { return blocks_; }
  std::span<const Index> offsets() const { return offsets_; }

  // trace(K) = sum of the squared norms of all rows, and its mean: the scale that gives lambda its
  // meaning. The mean is 0 for no rows.
  double squared_norm() const { return squared_norm_; }
  double mean_squared_norm() const { return num_rows_ == 0 ? 0 : squared_norm_ / num_rows_; }

  // The full N x D matrix; doubles are rounded to float. For small problems and for tests: it is
  // what this type exists to avoid.
  Rows ToDense() const;

  // The rows of these numbers, in that order; a number may occur several times, or none at all.
  // If all rows are taken in order the values are shared, otherwise they are copied. Requires
  // numbers in [0, N).
  Encodings Select(std::span<const Index> rows) const;

 private:
  Encodings() = default;
  template <class Array>
  static Encodings View(const Array& rows);
  template <class Array>
  static Encodings Own(Array values, std::vector<std::int32_t> blocks, Index num_blocks);
  template <class Array>
  static Encodings Own(Array values, std::vector<std::int32_t> blocks, std::vector<Index> offsets,
                       Index num_blocks);
  template <class Scalar>
  static Encodings OfSpan(std::span<const Scalar> values, Index dimension);
  template <class Array>
  void Take(Array values);
  void Point(const float* values) { values_ = values; }
  void Point(const double* values);
  void SetShape(Index num_rows, Index num_entries, Index num_blocks, Index block_size);
  void SetBlocks(std::vector<std::int32_t> blocks);
  void SetOffsets(std::vector<Index> offsets);
  // The row that holds an entry.
  Index RowOf(Index entry) const;
  // Checks the values and computes their squared norm, in one pass.
  void CheckValues();
  [[noreturn]] void ThrowFirstBadValue() const;

  Index num_rows_ = 0;
  Index num_blocks_ = 1;
  Index block_size_ = 0;
  Index num_entries_ = 0;
  std::shared_ptr<const void> owned_;  // empty for a view
  const float* values_ = nullptr;
  const double* doubles_ = nullptr;   // in place of values_; never null for doubles
  std::vector<std::int32_t> blocks_;  // empty: all in block 0
  std::vector<Index> offsets_;        // empty: one entry per row
  double squared_norm_ = 0;
};

// The dot products of every row with phi: the left side of Eq. 2. Size N; phi has size D.
Vector Similarities(const Encodings& encodings, const VectorView& phi, int threads = 1);

// The sum of all rows, each times its weight: Eq. 7. Size D; weights have size N.
Vector WeightedSum(const Encodings& encodings, const VectorView& weights, int threads = 1);

}  // namespace alcedo
