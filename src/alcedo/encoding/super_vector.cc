#include "alcedo/encoding/super_vector.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"

namespace alcedo::encoding {

void Check(const SuperVectorEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  const Vector& weights = encoder.codebook.weights;
  if (weights.size() == 0) {
    throw InvalidArgument("super_vector: the codebook must have weights, got none");
  }
  for (Index k = 0; k < weights.size(); ++k) {
    if (weights[k] >= 0 && weights[k] <= 1) continue;
    throw InvalidArgument(
        fmt::format("codebook weights must be in [0, 1], got {} for center {}", weights[k], k));
  }
  Require(encoder.options.s >= 0 && std::isfinite(encoder.options.s), "super_vector.s",
          ">= 0 and finite", encoder.options.s);
}

Encodings EncodeRows(const SuperVectorEncoder& encoder, const InputRows& rows, int threads,
                     EncodeReport&) {
  const Codebook& codebook = encoder.codebook;
  const Index size = codebook.size(), dimension = rows.dimension();
  const Vector roots = codebook.weights.cwiseMax(1 / (100 * static_cast<double>(size))).cwiseSqrt();
  std::vector<std::int32_t> nearest = AssignNearest(codebook.centers, rows.View(), threads);
  Rows values = UninitializedRows(rows.count(), dimension + 1);
  ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      const double root = roots[nearest[n]];
      const auto scale = static_cast<float>(1 / root);
      const float* row = rows.Row(n);
      const float* center = codebook.centers.row(nearest[n]).data();
      float* out = values.row(n).data();
      *out++ = static_cast<float>(encoder.options.s / root);
      for (Index j = 0; j < dimension; ++j) out[j] = (row[j] - center[j]) * scale;
    }
  });
  return Encodings::OneBlockPerRow(std::move(values), std::move(nearest), size);
}

}  // namespace alcedo::encoding
