#include "alcedo/encoding/encode_internal.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/huge_pages.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo::encoding {

void RequireFinite(std::string_view name, const float* values, Index rows, Index cols,
                   Index first_row) {
  const Index size = rows * cols;
  if (std::isfinite(kernels::SquaredNorm(values, size))) return;
  const float* bad =
      std::find_if_not(values, values + size, [](float x) { return std::isfinite(x); });
  throw InvalidArgument(fmt::format("{}: row {}, column {} is {}", name,
                                    first_row + (bad - values) / cols, (bad - values) % cols,
                                    std::isnan(*bad) ? "NaN" : "infinite"));
}

InputRows::InputRows(const RowsView& descriptors, Index dimension)
    : count_(descriptors.rows()), dimension_(dimension), data_(descriptors.data()) {
  if (count_ == 0) return;
  if (descriptors.cols() != dimension) {
    throw InvalidArgument(fmt::format("descriptors must have {} columns, as the encoder, got {}",
                                      dimension, descriptors.cols()));
  }
  if (descriptors.outerStride() != dimension) {
    copy_ = descriptors;
    data_ = copy_.data();
  }
  RequireFinite("descriptors", data_, count_, dimension_);
}

Rows UninitializedRows(Index rows, Index cols) {
  Rows values(rows, cols);
  internal::AdviseHugePages(values.data(), static_cast<std::size_t>(values.size()) * sizeof(float));
  return values;
}

void CheckCodebook(const Codebook& codebook) {
  if (codebook.size() < 1 || codebook.dimension() < 1) {
    throw InvalidArgument(
        fmt::format("codebook must have at least one center of one dimension, got {} x {}",
                    codebook.size(), codebook.dimension()));
  }
  RequireFinite("codebook centers", codebook.centers.data(), codebook.size(), codebook.dimension());
  const Index weights = codebook.weights.size();
  if (weights != 0 && weights != codebook.size()) {
    throw InvalidArgument(fmt::format("codebook weights must be one per center, {}, got {}",
                                      codebook.size(), weights));
  }
}

double SquaredDistance(const float* a, const float* b, Index dimension) {
  // Four sums hide the latency of additions.
  double sums[4] = {0, 0, 0, 0};
  Index j = 0;
  for (; j + 4 <= dimension; j += 4) {
    for (int i = 0; i < 4; ++i) {
      const double t = static_cast<double>(a[j + i]) - b[j + i];
      sums[i] += t * t;
    }
  }
  for (; j < dimension; ++j) {
    const double t = static_cast<double>(a[j]) - b[j];
    sums[0] += t * t;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

NearestCodewords FindNearest(const NearestCenters& centers, int nearest, const InputRows& rows,
                             int threads) {
  const Index k = std::min<Index>(nearest, centers.centers().rows());
  NearestCodewords result{k, centers.FindK(rows.View(), k, nullptr, threads)};
  for (auto row = result.codewords.begin(); row != result.codewords.end(); row += k) {
    std::sort(row, row + k);
  }
  return result;
}

Encodings FromWeights(NearestCodewords nearest, Rows weights, Index num_codewords) {
  const Index count = weights.size() / nearest.k;
  std::vector<Index> offsets(static_cast<std::size_t>(count) + 1);
  for (Index n = 0; n <= count; ++n) offsets[n] = n * nearest.k;
  return Encodings::SeveralBlocksPerRow(std::move(weights), std::move(nearest.codewords),
                                        std::move(offsets), num_codewords);
}

}  // namespace alcedo::encoding
