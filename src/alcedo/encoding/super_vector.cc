#include "alcedo/encoding/super_vector.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"

namespace alcedo {

void Check(const SuperVectorOptions& options) {
  Require(options.s >= 0 && std::isfinite(options.s), "sv.s", ">= 0 and finite", options.s);
}

namespace encoding {
namespace {

class PreparedSuperVector : public Prepared {
 public:
  explicit PreparedSuperVector(const SuperVectorEncoder& encoder)
      : centers_(encoder.codebook.centers),
        s_(encoder.options.s),
        roots_(encoder.codebook.weights
                   .cwiseMax(1 / (100 * static_cast<double>(encoder.codebook.size())))
                   .cwiseSqrt()) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    const Rows& centers = centers_.centers();
    const Index dimension = rows.dimension();
    std::vector<std::int32_t> nearest = centers_.Find(rows.View(), threads);
    Rows values = UninitializedRows(rows.count(), dimension + 1);
    ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
      for (Index n = begin; n < end; ++n) {
        const double root = roots_[nearest[n]];
        const auto scale = static_cast<float>(1 / root);
        const float* row = rows.Row(n);
        const float* center = centers.row(nearest[n]).data();
        float* out = values.row(n).data();
        *out++ = static_cast<float>(s_ / root);
        for (Index j = 0; j < dimension; ++j) out[j] = (row[j] - center[j]) * scale;
      }
    });
    return Encodings::OneBlockPerRow(std::move(values), std::move(nearest), centers.rows());
  }

 private:
  NearestCenters centers_;
  double s_;
  Vector roots_;  // of the weights
};

}  // namespace

void Check(const SuperVectorEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  const Vector& weights = encoder.codebook.weights;
  if (weights.size() == 0) {
    throw InvalidArgument("sv: the codebook must have weights, got none");
  }
  for (Index k = 0; k < weights.size(); ++k) {
    if (weights[k] >= 0 && weights[k] <= 1) continue;
    throw InvalidArgument(
        fmt::format("codebook weights must be in [0, 1], got {} for center {}", weights[k], k));
  }
  Check(encoder.options);
}

PreparedPointer Prepare(const SuperVectorEncoder& encoder, int) {
  return std::make_unique<PreparedSuperVector>(encoder);
}

}  // namespace encoding
}  // namespace alcedo
