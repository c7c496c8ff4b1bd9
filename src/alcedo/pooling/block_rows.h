// The rows of each block, for encodings with one entry per row.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/encoding/encodings.h"

namespace alcedo {

// An inverted file: which rows fall into which block, by a counting sort that keeps their order.
class BlockRows {
 public:
  // Requires one block per row. Borrows the encodings.
  explicit BlockRows(const Encodings& encodings);

  Index num_blocks() const { return static_cast<Index>(begins_.size()) - 1; }
  Index Count(Index block) const { return begins_[block + 1] - begins_[block]; }
  // The row numbers of a block, increasing.
  const std::int32_t* Order(Index block) const { return order_.data() + begins_[block]; }

  // The values of a block's rows one after the other: in place where they already are, else copied
  // to scratch.
  const float* Gather(Index block, std::vector<float>& scratch) const;

 private:
  const Encodings& encodings_;
  std::vector<Index> begins_;
  std::vector<std::int32_t> order_;
};

}  // namespace alcedo
