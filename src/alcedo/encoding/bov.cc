#include "alcedo/encoding/bov.h"

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"

namespace alcedo {
namespace encoding {

void Check(const BovEncoder& encoder) { CheckCodebook(encoder.codebook); }

void Check(const SoftBovEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  const SoftBovOptions& options = encoder.options;
  Require(options.sigma >= 0 && std::isfinite(options.sigma), "soft_bov.sigma", ">= 0 and finite",
          options.sigma);
  Require(options.nearest >= 1, "soft_bov.nearest", ">= 1", options.nearest);
}

Encodings EncodeRows(const BovEncoder& encoder, const InputRows& rows, int threads, EncodeReport&) {
  return Encodings::OneBlockPerRow(Rows::Ones(rows.count(), 1),
                                   AssignNearest(encoder.codebook.centers, rows.View(), threads),
                                   encoder.codebook.size());
}

Encodings EncodeRows(const SoftBovEncoder& encoder, const InputRows& rows, int threads,
                     EncodeReport&) {
  const Codebook& codebook = encoder.codebook;
  const double sigma =
      encoder.options.sigma > 0 ? encoder.options.sigma : SoftBovSigma(codebook, threads);
  NearestCodewords nearest = FindNearest(codebook, encoder.options.nearest, rows, threads);
  const Index k = nearest.k;
  Rows weights(rows.count() * k, 1);
  ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
    Vector row_weights(k);
    for (Index n = begin; n < end; ++n) {
      for (Index i = 0; i < k; ++i) {
        const float* center = codebook.centers.row(nearest.codewords[n * k + i]).data();
        row_weights[i] = SquaredDistance(rows.Row(n), center, rows.dimension());
      }
      // Relative to the nearest, whose weight is 1: the sum is never 0. Divided by sigma twice,
      // since its square can leave the range of double.
      const double least = row_weights.minCoeff();
      for (double& w : row_weights) w = std::exp((least - w) / sigma / sigma / 2);
      row_weights /= row_weights.sum();
      for (Index i = 0; i < k; ++i) weights(n * k + i, 0) = static_cast<float>(row_weights[i]);
    }
  });
  return FromWeights(std::move(nearest), std::move(weights), codebook.size());
}

}  // namespace encoding

double SoftBovSigma(const Codebook& codebook, int threads) {
  encoding::CheckCodebook(codebook);
  const Rows& centers = codebook.centers;
  const Index size = codebook.size();
  // The nearest but one, since the nearest is the codeword itself; more where codewords repeat.
  for (Index k = std::min<Index>(2, size);; k = std::min(2 * k, size)) {
    const auto nearest = AssignNearestK(centers, centers, k, nullptr, threads);
    double sum = 0;
    Index found = 0;
    for (Index n = 0; n < size; ++n) {
      double least = std::numeric_limits<double>::infinity();
      for (Index i = 0; i < k; ++i) {
        const double distance = encoding::SquaredDistance(
            centers.row(n).data(), centers.row(nearest[n * k + i]).data(), centers.cols());
        if (distance > 0) least = std::min(least, distance);
      }
      if (!std::isfinite(least)) continue;
      sum += least;
      ++found;
    }
    if (found == size) return std::sqrt(sum / static_cast<double>(size)) / 2;
    if (k == size) return 1;  // all codewords are equal: if one found another, all would
  }
}

}  // namespace alcedo
