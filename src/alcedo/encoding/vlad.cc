#include "alcedo/encoding/vlad.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/encoding/vlad_internal.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo::encoding {

void Residual(const float* row, const float* center, Index dimension, bool unit, float* out) {
  for (Index j = 0; j < dimension; ++j) out[j] = row[j] - center[j];
  if (!unit) return;
  const double norm = std::sqrt(kernels::SquaredNorm(out, dimension));
  if (norm == 0) return;
  for (Index j = 0; j < dimension; ++j) out[j] = static_cast<float>(out[j] / norm);
}

void Check(const VladEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  const Rows& rotations = encoder.rotations;
  if (rotations.size() == 0) return;
  const Index size = encoder.codebook.size(), dimension = encoder.codebook.dimension();
  if (rotations.rows() != size * dimension || rotations.cols() != dimension) {
    throw InvalidArgument(fmt::format(
        "vlad.rotations must be empty or {} x {}, one of {} x {} per center, got {} x {}",
        size * dimension, dimension, dimension, dimension, rotations.rows(), rotations.cols()));
  }
  RequireFinite("vlad.rotations", rotations.data(), rotations.rows(), rotations.cols());
}

Encodings EncodeRows(const VladEncoder& encoder, const InputRows& rows, int threads,
                     EncodeReport&) {
  const Codebook& codebook = encoder.codebook;
  const Index dimension = rows.dimension();
  const bool rotate = encoder.rotations.size() > 0;
  std::vector<std::int32_t> nearest = AssignNearest(codebook.centers, rows.View(), threads);
  Rows values = UninitializedRows(rows.count(), dimension);
  ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
    std::vector<float> residual(static_cast<std::size_t>(dimension));
    for (Index n = begin; n < end; ++n) {
      float* out = values.row(n).data();
      Residual(rows.Row(n), codebook.centers.row(nearest[n]).data(), dimension,
               encoder.options.residual_l2, rotate ? residual.data() : out);
      if (!rotate) continue;
      const float* rotation = encoder.rotations.row(nearest[n] * dimension).data();
      kernels::Dots(rotation, dimension, dimension, residual.data(), out);
    }
  });
  return Encodings::OneBlockPerRow(std::move(values), std::move(nearest), codebook.size());
}

}  // namespace alcedo::encoding
