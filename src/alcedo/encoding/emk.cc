#include "alcedo/encoding/emk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/encoding/encoding_kernels.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {

void Check(const EmkOptions& options) {
  Require(options.outputs >= 1, "emk.outputs", ">= 1", options.outputs);
  Require(options.sigma >= 0 && std::isfinite(options.sigma), "emk.sigma", ">= 0 and finite",
          options.sigma);
}

namespace encoding {
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

class PreparedEmk : public Prepared {
 public:
  explicit PreparedEmk(const RandomFourier& fourier)
      : fourier_(fourier),
        scale_(std::sqrt(2 / static_cast<double>(fourier.size()))),
        frequencies_(fourier.frequencies / std::numbers::pi_v<float>),
        phases_(static_cast<std::size_t>(fourier.size())) {
    for (Index i = 0; i < fourier.size(); ++i) {
      phases_[i] = static_cast<float>(std::remainder(fourier.phases[i] / std::numbers::pi, 2));
    }
  }

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    const Index outputs = fourier_.size(), dimension = fourier_.dimension();
    Rows values = UninitializedRows(rows.count(), outputs);
    ForEachChunk(rows.count(), kPanelRows, threads, [&](Index begin, Index end) {
      std::vector<float> panel(kPanelRows * kPanelColumns);
      for (Index first = 0; first < outputs; first += kPanelColumns) {
        const Index width = std::min(kPanelColumns, outputs - first);
        blas::MultiplyTransposed(rows.Row(begin), end - begin, dimension, dimension,
                                 frequencies_.row(first).data(), width, dimension, panel.data(),
                                 kPanelColumns);
        if (ScaledCosines(panel.data(), end - begin, width, kPanelColumns, phases_.data() + first,
                          static_cast<float>(scale_), values.row(begin).data() + first, outputs)) {
          continue;
        }
        for (Index n = begin; n < end; ++n) {
          for (Index i = first; i < first + width; ++i) {
            if (std::isnan(values(n, i)))
              values(n, i) = ExactValue(fourier_, rows.Row(n), i, scale_);
          }
        }
      }
    });
    return Encodings::Dense(std::move(values));
  }

 private:
  const RandomFourier& fourier_;
  double scale_;
  // In half turns, where the cosine's reduction to one period is exact.
  Rows frequencies_;
  std::vector<float> phases_;
};

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

PreparedPointer Prepare(const EmkEncoder& encoder, int) {
  return std::make_unique<PreparedEmk>(encoder.fourier);
}

}  // namespace encoding
}  // namespace alcedo
