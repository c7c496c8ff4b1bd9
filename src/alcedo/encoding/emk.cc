#include "alcedo/encoding/emk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/encoding/encoding_kernels.h"
#include "alcedo/linalg/blas.h"

namespace alcedo::encoding {
namespace {

// Panels of the product that stay in cache until their cosines are taken: 128 KiB.
constexpr Index kPanelRows = 256, kPanelColumns = 128;

// In double, for arguments that float cannot hold to a part of a turn.
float ExactValue(const RandomFourier& fourier, const float* row, Index output, double scale) {
  const float* frequencies = fourier.frequencies.row(output).data();
  double argument = fourier.phases[output];
  for (Index j = 0; j < fourier.dimension(); ++j) {
    argument += static_cast<double>(frequencies[j]) * row[j];
  }
  return static_cast<float>(scale * std::cos(argument));
}

}  // namespace

void Check(const EmkEncoder& encoder) {
  const RandomFourier& fourier = encoder.fourier;
  if (fourier.size() < 1 || fourier.dimension() < 1) {
    throw InvalidArgument(
        fmt::format("emk: there must be at least one frequency of one dimension, got {} x {}",
                    fourier.size(), fourier.dimension()));
  }
  if (fourier.phases.size() != fourier.size()) {
    throw InvalidArgument(fmt::format("emk: phases must be one per frequency, {}, got {}",
                                      fourier.size(), fourier.phases.size()));
  }
  RequireFinite("emk frequencies", fourier.frequencies.data(), fourier.size(), fourier.dimension());
  for (Index i = 0; i < fourier.size(); ++i) {
    if (std::isfinite(fourier.phases[i])) continue;
    throw InvalidArgument(
        fmt::format("emk: phases must be finite, got {} for output {}", fourier.phases[i], i));
  }
}

Encodings EncodeRows(const EmkEncoder& encoder, const InputRows& rows, int threads, EncodeReport&) {
  const RandomFourier& fourier = encoder.fourier;
  const Index outputs = fourier.size(), dimension = fourier.dimension();
  const double scale = std::sqrt(2 / static_cast<double>(outputs));
  // In half turns, where the cosine's reduction to one period is exact.
  const Rows frequencies = fourier.frequencies / std::numbers::pi_v<float>;
  std::vector<float> phases(static_cast<std::size_t>(outputs));
  for (Index i = 0; i < outputs; ++i) {
    phases[i] = static_cast<float>(std::remainder(fourier.phases[i] / std::numbers::pi, 2));
  }
  Rows values = UninitializedRows(rows.count(), outputs);
  ForEachChunk(rows.count(), kPanelRows, threads, [&](Index begin, Index end) {
    std::vector<float> panel(kPanelRows * kPanelColumns);
    for (Index first = 0; first < outputs; first += kPanelColumns) {
      const Index width = std::min(kPanelColumns, outputs - first);
      blas::MultiplyTransposed(rows.Row(begin), end - begin, dimension, dimension,
                               frequencies.row(first).data(), width, dimension, panel.data(),
                               kPanelColumns);
      if (ScaledCosines(panel.data(), end - begin, width, kPanelColumns, phases.data() + first,
                        static_cast<float>(scale), values.row(begin).data() + first, outputs)) {
        continue;
      }
      for (Index n = begin; n < end; ++n) {
        for (Index i = first; i < first + width; ++i) {
          if (std::isnan(values(n, i))) values(n, i) = ExactValue(fourier, rows.Row(n), i, scale);
        }
      }
    }
  });
  return Encodings::Dense(std::move(values));
}

}  // namespace alcedo::encoding
