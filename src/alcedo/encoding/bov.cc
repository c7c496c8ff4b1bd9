#include "alcedo/encoding/bov.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"

namespace alcedo {

void Check(const SoftBovOptions& options) {
  Require(options.sigma >= 0 && std::isfinite(options.sigma), "soft_bov.sigma", ">= 0 and finite",
          options.sigma);
  Require(options.nearest >= 1, "soft_bov.nearest", ">= 1", options.nearest);
}

namespace encoding {

void Check(const BovEncoder& encoder) { CheckCodebook(encoder.codebook); }

void Check(const SoftBovEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  Check(encoder.options);
}

namespace {

class PreparedBov : public Prepared {
 public:
  explicit PreparedBov(const BovEncoder& encoder) : centers_(encoder.codebook.centers) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    return Encodings::OneBlockPerRow(Rows::Ones(rows.count(), 1),
                                     centers_.Find(rows.View(), threads),
                                     centers_.centers().rows());
  }

 private:
  NearestCenters centers_;
};

class PreparedSoftBov : public Prepared {
 public:
  PreparedSoftBov(const SoftBovEncoder& encoder, int threads)
      : centers_(encoder.codebook.centers),
        nearest_(encoder.options.nearest),
        sigma_(encoder.options.sigma > 0 ? encoder.options.sigma
                                         : SoftBovSigma(encoder.codebook, threads)) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    NearestCodewords nearest = FindNearest(centers_, nearest_, rows, threads);
    const Index k = nearest.k;
    Rows weights(rows.count() * k, 1);
    ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
      Vector row_weights(k);
      for (Index n = begin; n < end; ++n) {
        for (Index i = 0; i < k; ++i) {
          const float* center = centers_.centers().row(nearest.codewords[n * k + i]).data();
          row_weights[i] = SquaredDistance(rows.Row(n), center, rows.dimension());
        }
        // Relative to the nearest, whose weight is 1: the sum is never 0. Divided by sigma twice,
        // since its square can leave the range of double.
        const double least = row_weights.minCoeff();
        for (double& w : row_weights) w = std::exp((least - w) / sigma_ / sigma_ / 2);
        row_weights /= row_weights.sum();
        for (Index i = 0; i < k; ++i) weights(n * k + i, 0) = static_cast<float>(row_weights[i]);
      }
    });
    return FromWeights(std::move(nearest), std::move(weights), centers_.centers().rows());
  }

 private:
  NearestCenters centers_;
  int nearest_;
  double sigma_;
};

}  // namespace

PreparedPointer Prepare(const BovEncoder& encoder, int) {
  return std::make_unique<PreparedBov>(encoder);
}
PreparedPointer Prepare(const SoftBovEncoder& encoder, int threads) {
  return std::make_unique<PreparedSoftBov>(encoder, threads);
}

}  // namespace encoding

double SoftBovSigma(const Codebook& codebook, int threads) {
  encoding::CheckCodebook(codebook);
  const Rows& centers = codebook.centers;
  const Index size = codebook.size();
  // The nearest but one, since the nearest is the codeword itself; more if codewords repeat.
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
