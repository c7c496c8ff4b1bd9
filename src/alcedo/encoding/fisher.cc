#include "alcedo/encoding/fisher.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/encoding/fisher_internal.h"

namespace alcedo {
namespace encoding {
namespace {

Encodings EncodeHard(const GaussianMixture& mixture, const InputRows& rows, int threads) {
  const FisherTables tables(mixture);
  const GmmScorer scorer(mixture);
  std::vector<std::int32_t> gaussians(static_cast<std::size_t>(rows.count()));
  Rows values = UninitializedRows(rows.count(), 2 * mixture.dimension());
  ForEachChunk(rows.count(), kRowsPerFisherChunk, threads, [&](Index begin, Index end) {
    scorer.MostLikely(rows.Row(begin), end - begin, gaussians.data() + begin);
    FisherBlocks(tables.View(),
                 {rows.Row(begin), end - begin, nullptr, gaussians.data() + begin, nullptr},
                 values.row(begin).data());
  });
  return Encodings::OneBlockPerRow(std::move(values), std::move(gaussians), mixture.size());
}

Encodings EncodeSoft(const FisherEncoder& encoder, const InputRows& rows, int threads,
                     EncodeReport& report) {
  const GaussianMixture& mixture = encoder.mixture;
  const FisherTables tables(mixture);
  GmmScorer::Posteriors posteriors = GmmScorer(mixture).Compute(
      rows.data(), rows.count(), encoder.options.posterior_threshold, threads);
  report.dropped_posterior = posteriors.dropped;
  const auto entries = static_cast<Index>(posteriors.gaussian.size());
  Rows values = UninitializedRows(entries, 2 * mixture.dimension());
  ForEachChunk(rows.count(), kRowsPerFisherChunk, threads, [&](Index begin, Index end) {
    const Index* offsets = posteriors.offsets.data() + begin;
    FisherBlocks(tables.View(),
                 {rows.Row(begin), end - begin, offsets, posteriors.gaussian.data(),
                  posteriors.posterior.data()},
                 values.data() + offsets[0] * values.cols());
  });
  return Encodings::SeveralBlocksPerRow(std::move(values), std::move(posteriors.gaussian),
                                        std::move(posteriors.offsets), mixture.size());
}

}  // namespace

FisherTables::FisherTables(const GaussianMixture& mixture)
    : means_(mixture.means),
      inverse_sigmas_(mixture.size(), mixture.dimension()),
      u_scales_(mixture.weights.cwiseSqrt().cwiseInverse()),
      v_scales_(u_scales_ / std::sqrt(2.0)),
      float_u_scales_(u_scales_.begin(), u_scales_.end()),
      float_v_scales_(v_scales_.begin(), v_scales_.end()) {
  for (Index i = 0; i < inverse_sigmas_.size(); ++i) {
    const double variance = mixture.variances.data()[i];
    inverse_sigmas_.data()[i] = static_cast<float>(1 / std::sqrt(variance));
  }
}

FisherView FisherTables::View() const {
  return {means_.data(), inverse_sigmas_.data(), float_u_scales_.data(), float_v_scales_.data(),
          means_.cols()};
}

void Check(const FisherEncoder& encoder) {
  CheckGaussianMixture(encoder.mixture);
  const double threshold = encoder.options.posterior_threshold;
  Require(threshold >= 0 && threshold < 1, "fisher.posterior_threshold", "in [0, 1)", threshold);
}

Encodings EncodeRows(const FisherEncoder& encoder, const InputRows& rows, int threads,
                     EncodeReport& report) {
  return encoder.options.assignment == FisherAssignment::kHard
             ? EncodeHard(encoder.mixture, rows, threads)
             : EncodeSoft(encoder, rows, threads, report);
}

}  // namespace encoding

namespace {

// How many values a Fisher Vector has per Gaussian and gradient.
Index DimensionOf(const VectorView& fisher, Index gaussians) {
  if (gaussians < 1 || fisher.size() % (2 * gaussians) != 0) {
    throw InvalidArgument(
        fmt::format("a Fisher Vector of {} Gaussians must have a multiple of {} values, got {}",
                    gaussians, 2 * gaussians, fisher.size()));
  }
  return fisher.size() / (2 * gaussians);
}

}  // namespace

Vector FisherToVlfeatOrder(const VectorView& fisher, Index gaussians) {
  const Index d = DimensionOf(fisher, gaussians);
  Vector result(fisher.size());
  for (Index k = 0; k < gaussians; ++k) {
    result.segment(k * d, d) = fisher.segment(2 * k * d, d);
    result.segment((gaussians + k) * d, d) = fisher.segment((2 * k + 1) * d, d);
  }
  return result;
}

Vector FisherFromVlfeatOrder(const VectorView& fisher, Index gaussians) {
  const Index d = DimensionOf(fisher, gaussians);
  Vector result(fisher.size());
  for (Index k = 0; k < gaussians; ++k) {
    result.segment(2 * k * d, d) = fisher.segment(k * d, d);
    result.segment((2 * k + 1) * d, d) = fisher.segment((gaussians + k) * d, d);
  }
  return result;
}

}  // namespace alcedo
