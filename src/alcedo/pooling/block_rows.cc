#include "alcedo/pooling/block_rows.h"

#include <algorithm>
#include <limits>

#include "alcedo/base/error.h"

namespace alcedo {

BlockRows::BlockRows(const Encodings& encodings)
    : encodings_(encodings), begins_(encodings.num_blocks() + 1, 0), order_(encodings.num_rows()) {
  Require(encodings.one_block_per_row(), "entries per row", "1 to solve block by block", 0);
  const Index rows = encodings.num_rows();
  Require(rows <= std::numeric_limits<std::int32_t>::max(), "number of rows", "below 2^31",
          static_cast<double>(rows));
  for (Index n = 0; n < rows; ++n) ++begins_[encodings.Block(n) + 1];
  for (Index b = 0; b < num_blocks(); ++b) begins_[b + 1] += begins_[b];
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (Index n = 0; n < rows; ++n)
    order_[next[encodings.Block(n)]++] = static_cast<std::int32_t>(n);
}

const float* BlockRows::Gather(Index block, std::vector<float>& scratch) const {
  const Index count = Count(block), width = encodings_.block_size();
  const std::int32_t* order = Order(block);
  // Increasing numbers without a gap: the rows stand together.
  if (count == 0 || order[count - 1] - order[0] == count - 1) {
    return encodings_.Values(count == 0 ? 0 : order[0]);
  }
  scratch.resize(std::max<std::size_t>(scratch.size(), count * width));
  for (Index i = 0; i < count; ++i) {
    std::copy_n(encodings_.Values(order[i]), width, scratch.data() + i * width);
  }
  return scratch.data();
}

}  // namespace alcedo
