#include <cmath>
#include <cstdint>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/fisher.h"
#include "alcedo/encoding/fisher_internal.h"

namespace alcedo {
namespace {

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

Members HardMembers(const GmmScorer& scorer, const encoding::InputRows& rows, int threads) {
  std::vector<std::int32_t> gaussians(static_cast<std::size_t>(rows.count()));
  encoding::ForEachChunk(
      rows.count(), encoding::kRowsPerFisherChunk, threads, [&](Index begin, Index end) {
        scorer.MostLikely(rows.Row(begin), end - begin, gaussians.data() + begin);
      });
  Members members;
  CountGaussians(gaussians, scorer.size(), members);
  std::vector<Index> next = members.begin;
  for (Index n = 0; n < rows.count(); ++n) members.rows[next[gaussians[n]]++] = n;
  return members;
}

Members SoftMembers(const GmmScorer& scorer, const encoding::InputRows& rows, double threshold,
                    int threads, EncodeReport& report) {
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
  const Members members =
      encoder.options.assignment == FisherAssignment::kHard
          ? HardMembers(scorer, rows, threads)
          : SoftMembers(scorer, rows, encoder.options.posterior_threshold, threads, own_report);

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

}  // namespace alcedo
