// GMP of a stream: add rows in any number of chunks, merge what other threads or computers
// accumulated, then solve for any lambdas. Memory is O(num_blocks x block_size^2) if every row
// has one entry and O(D^2) otherwise, however many rows pass.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/gmp.h"

namespace alcedo {

class GmpAccumulator {
 public:
  enum class Layout {
    kOneBlockPerRow,      // Gram matrix block-diagonal: num_blocks matrices of block_size^2
    kSeveralBlocksPerRow  // one Gram matrix of D^2
  };
  // For dense rows: num_blocks = 1, either layout.
  GmpAccumulator(Index num_blocks, Index block_size, Layout layout = Layout::kOneBlockPerRow);

  // Adds rows. Requires the same num_blocks and block_size, and one block per row in that layout.
  void Add(const Encodings& encodings);

  // Adds what another accumulator of the same shape has seen.
  void Merge(const GmpAccumulator& other);

  // GMP of all rows added so far, for every member of the path; ForLambdas() makes one. The rows
  // are gone, so that solvers other than auto, direct and primal are refused, and max_iterations
  // bounds nothing. The residual is that of the normal equations, Eq. 6, with the accumulated sums.
  GmpPath Solve(std::span<const GmpOptions> path) const;

  Index num_rows() const { return num_rows_; }
  Index num_blocks() const { return num_blocks_; }
  Index block_size() const { return block_size_; }
  Layout layout() const { return layout_; }
  const Vector& sum() const { return sum_; }  // sum pooling, for free
  double squared_norm() const { return squared_norm_; }

  // The whole state as bytes, to carry to another computer; little-endian, with a checksum.
  // FromBytes throws FormatError for anything ToBytes did not write.
  std::string ToBytes() const;
  static GmpAccumulator FromBytes(std::span<const char> bytes);

 private:
  Index num_blocks_;
  Index block_size_;
  Layout layout_;
  Index num_rows_ = 0;
  double squared_norm_ = 0;
  Vector sum_;
  std::vector<std::int64_t> block_rows_;  // rows seen per block (per Gram matrix)
  std::vector<double> gram_;  // the matrices one after the other, lower triangles filled
};

}  // namespace alcedo
