#include "alcedo/encoding/fisher.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/encoding/encoding_kernels.h"
#include "alcedo/vocabulary/gmm_scorer.h"

namespace alcedo {

void Check(const FisherOptions& options) {
  const double threshold = options.posterior_threshold;
  Require(threshold >= 0 && threshold < 1, "fv.posterior_threshold", "in [0, 1)", threshold);
}

namespace encoding {
namespace {

// Borrows the mixture's means.
class FisherTables {
 public:
  explicit FisherTables(const GaussianMixture& mixture);

  FisherView View() const;
  // Before rounding to float, for sums.
  const Vector& u_scales() const { return u_scales_; }
  const Vector& v_scales() const { return v_scales_; }

 private:
  const Rows& means_;
  Rows inverse_sigmas_;
  Vector u_scales_, v_scales_;
  std::vector<float> float_u_scales_, float_v_scales_;
};

// Rows are scored in chunks of this size, whatever the number of threads.
inline constexpr Index kRowsPerFisherChunk = 1024;

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

class PreparedFisher : public Prepared {
 public:
  explicit PreparedFisher(const FisherEncoder& encoder)
      : options_(encoder.options), tables_(encoder.mixture), scorer_(encoder.mixture) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport& report) const override {
    return options_.assignment == FisherAssignment::kHard ? Hard(rows, threads)
                                                          : Soft(rows, threads, report);
  }

 private:
  Encodings Hard(const InputRows& rows, int threads) const {
    std::vector<std::int32_t> gaussians(static_cast<std::size_t>(rows.count()));
    Rows values = UninitializedRows(rows.count(), 2 * scorer_.dimension());
    ForEachChunk(rows.count(), kRowsPerFisherChunk, threads, [&](Index begin, Index end) {
      scorer_.MostLikely(rows.Row(begin), end - begin, gaussians.data() + begin);
      FisherBlocks(tables_.View(),
                   {rows.Row(begin), end - begin, nullptr, gaussians.data() + begin, nullptr},
                   values.row(begin).data());
    });
    return Encodings::OneBlockPerRow(std::move(values), std::move(gaussians), scorer_.size());
  }

  Encodings Soft(const InputRows& rows, int threads, EncodeReport& report) const {
    GmmScorer::Posteriors posteriors =
        scorer_.Compute(rows.data(), rows.count(), options_.posterior_threshold, threads);
    report.dropped_posterior = posteriors.dropped;
    const auto entries = static_cast<Index>(posteriors.gaussian.size());
    Rows values = UninitializedRows(entries, 2 * scorer_.dimension());
    ForEachChunk(rows.count(), kRowsPerFisherChunk, threads, [&](Index begin, Index end) {
      const Index* offsets = posteriors.offsets.data() + begin;
      FisherBlocks(tables_.View(),
                   {rows.Row(begin), end - begin, offsets, posteriors.gaussian.data(),
                    posteriors.posterior.data()},
                   values.data() + offsets[0] * values.cols());
    });
    return Encodings::SeveralBlocksPerRow(std::move(values), std::move(posteriors.gaussian),
                                          std::move(posteriors.offsets), scorer_.size());
  }

  FisherOptions options_;
  FisherTables tables_;
  GmmScorer scorer_;
};

// The rows of every Gaussian, in order: those of Gaussian k are begin[k] <= i < begin[k + 1].
struct Members {
  std::vector<Index> begin, rows;
  std::vector<float> posteriors;  // empty: all 1
};

void CountGaussians(const std::vector<std::int32_t>& gaussians, Index size, Members& members) {
  members.begin.assign(static_cast<std::size_t>(size) + 1, 0);
  for (const std::int32_t k : gaussians) ++members.begin[k + 1];
  for (Index k = 0; k < size; ++k) members.begin[k + 1] += members.begin[k];
  members.rows.resize(gaussians.size());
}

Members HardMembers(const GmmScorer& scorer, const InputRows& rows, int threads) {
  std::vector<std::int32_t> gaussians(static_cast<std::size_t>(rows.count()));
  ForEachChunk(rows.count(), kRowsPerFisherChunk, threads, [&](Index begin, Index end) {
    scorer.MostLikely(rows.Row(begin), end - begin, gaussians.data() + begin);
  });
  Members members;
  CountGaussians(gaussians, scorer.size(), members);
  std::vector<Index> next = members.begin;
  for (Index n = 0; n < rows.count(); ++n) members.rows[next[gaussians[n]]++] = n;
  return members;
}

Members SoftMembers(const GmmScorer& scorer, const InputRows& rows, double threshold, int threads,
                    EncodeReport& report) {
  const GmmScorer::Posteriors found = scorer.Compute(rows.data(), rows.count(), threshold, threads);
  report.dropped_posterior = found.dropped;
  Members members;
  CountGaussians(found.gaussian, scorer.size(), members);
  members.posteriors.resize(found.gaussian.size());
  std::vector<Index> next = members.begin;
  for (Index n = 0; n < rows.count(); ++n) {
    for (Index e = found.offsets[n]; e < found.offsets[n + 1]; ++e) {
      const Index i = next[found.gaussian[e]]++;
      members.rows[i] = n;
      members.posteriors[i] = found.posterior[e];
    }
  }
  return members;
}

}  // namespace

void Check(const FisherEncoder& encoder) {
  CheckGaussianMixture(encoder.mixture);
  Check(encoder.options);
}

PreparedPointer Prepare(const FisherEncoder& encoder, int) {
  return std::make_unique<PreparedFisher>(encoder);
}

}  // namespace encoding

// Gaussian by Gaussian, not row by row: the sums of one Gaussian stay in registers, the scales are
// applied once, and there is nothing to merge between threads.
Vector SumFisher(const FisherEncoder& encoder, const RowsView& descriptors, int threads,
                 EncodeReport* report) {
  Require(threads >= 1, "threads", ">= 1", threads);
  encoding::Check(encoder);
  const GaussianMixture& mixture = encoder.mixture;
  const Index dimension = mixture.dimension();
  const encoding::InputRows rows(descriptors, dimension);
  const encoding::FisherTables tables(mixture);
  const encoding::FisherView view = tables.View();
  const GmmScorer scorer(mixture);
  EncodeReport own_report;
  const encoding::Members members =
      encoder.options.assignment == FisherAssignment::kHard
          ? encoding::HardMembers(scorer, rows, threads)
          : encoding::SoftMembers(scorer, rows, encoder.options.posterior_threshold, threads,
                                  own_report);

  Vector sum = Vector::Zero(2 * mixture.size() * dimension);
  ParallelFor(mixture.size(), threads, [&](Index k) {
    const Index begin = members.begin[k];
    double* u = sum.data() + 2 * k * dimension;
    double* v = u + dimension;
    encoding::AddFisherMoments(
        rows.data(), dimension, members.rows.data() + begin, members.begin[k + 1] - begin,
        members.posteriors.empty() ? nullptr : members.posteriors.data() + begin,
        view.means + k * dimension, view.inverse_sigmas + k * dimension, u, v);
    for (Index j = 0; j < dimension; ++j) u[j] *= tables.u_scales()[k];
    for (Index j = 0; j < dimension; ++j) v[j] *= tables.v_scales()[k];
  });
  if (!sum.allFinite()) {
    throw InvalidArgument("descriptors must be near enough for their Fisher Vectors to be finite");
  }
  if (report != nullptr) *report = own_report;
  return sum;
}

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
