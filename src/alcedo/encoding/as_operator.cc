#include "alcedo/encoding/as_operator.h"

#include "alcedo/base/error.h"

namespace alcedo {

RowOperator AsOperator(const Encodings& encodings, int threads) {
  Require(threads >= 1, "threads", ">= 1", threads);
  return encodings.WithValues([&]<class Scalar>(const Scalar* values) -> RowOperator {
    if (encodings.dense()) {
      return {values, encodings.num_rows(), encodings.block_size(), threads};
    }
    const auto blocks = encodings.blocks();
    const auto offsets = encodings.offsets();
    const kernels::SparseRowsOf<Scalar> rows{values, blocks.empty() ? nullptr : blocks.data(),
                                             offsets.empty() ? nullptr : offsets.data(),
                                             encodings.num_rows(), encodings.block_size()};
    return {rows, encodings.dimension(), threads};
  });
}

}  // namespace alcedo
