#include "alcedo/vocabulary/gmm_scorer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/vocabulary/gaussian_mixture_tables.h"

namespace alcedo {
namespace {

constexpr Index kChunk = 10 * kernels::kScoreRows;
constexpr double kLeastJoint = -std::numeric_limits<float>::max();

}  // namespace

GmmScorer::GmmScorer(const GaussianMixture& mixture)
    : size_(mixture.size()),
      dimension_(mixture.dimension()),
      tables_(std::make_shared<const MixtureTables>(mixture)) {}

void GmmScorer::LogJoint(const float* rows, Index n, float* out) const {
  constexpr float kAll = std::numeric_limits<float>::infinity();
  MixtureTables::Work work(*tables_, MixtureTables::Precision::kFloat);
  tables_->ForEachRow(rows, n, 0, work, [&](Index index, const float* row, Index r) {
    const auto [count, largest, offset] = tables_->Select(row, r, kAll, work);
    for (Index k = 0; k < count; ++k) {
      const double value = offset + static_cast<double>(work.values[k]);
      out[index * size_ + k] = static_cast<float>(std::max(value, kLeastJoint));
    }
  });
}

void GmmScorer::MostLikely(const float* rows, Index n, std::int32_t* out) const {
  MixtureTables::Work work(*tables_, MixtureTables::Precision::kCoarse);
  tables_->ForEachRow(rows, n, 0, work, [&](Index index, const float* row, Index r) {
    out[index] = tables_->MostLikely(row, r, work);
  });
}

GmmScorer::Posteriors GmmScorer::Compute(const float* rows, Index n, double threshold,
                                         int threads) const {
  Require(threshold >= 0 && threshold < 1, "posterior threshold", "in [0, 1)", threshold);
  // Wide enough for all that can reach the threshold.
  const float range = threshold > 0 ? std::max(tables_->NegligibleRange(),
                                               static_cast<float>(0.1 - std::log(threshold)))
                                    : std::numeric_limits<float>::infinity();
  const Index chunks = (n + kChunk - 1) / kChunk;
  std::vector<Posteriors> parts(chunks);
  ParallelFor(chunks, threads, [&](Index chunk) {
    Posteriors& part = parts[chunk];
    const Index begin = chunk * kChunk;
    MixtureTables::Work work(*tables_, MixtureTables::Precision::kFloat);
    const Index size = std::min(kChunk, n - begin);
    part.offsets.reserve(size);
    tables_->ForEachRow(
        rows + begin * dimension_, size, begin, work, [&](Index, const float* row, Index r) {
          const auto posterior = tables_->ToPosteriors(tables_->Select(row, r, range, work),
                                                       static_cast<float>(threshold), work);
          part.gaussian.insert(part.gaussian.end(), work.selected.begin(),
                               work.selected.begin() + posterior.count);
          part.posterior.insert(part.posterior.end(), work.values.begin(),
                                work.values.begin() + posterior.count);
          part.offsets.push_back(static_cast<Index>(part.gaussian.size()));
          part.dropped += std::max(0.0, 1 - static_cast<double>(posterior.kept));
          part.mean_log_likelihood += posterior.log_likelihood;
        });
  });
  Posteriors all;
  all.offsets.reserve(n + 1);
  all.offsets.push_back(0);
  for (const Posteriors& part : parts) {
    const Index base = all.offsets.back();
    for (const Index end : part.offsets) all.offsets.push_back(base + end);
    all.gaussian.insert(all.gaussian.end(), part.gaussian.begin(), part.gaussian.end());
    all.posterior.insert(all.posterior.end(), part.posterior.begin(), part.posterior.end());
    all.dropped += part.dropped;
    all.mean_log_likelihood += part.mean_log_likelihood;
  }
  if (n > 0) {
    all.dropped /= static_cast<double>(n);
    all.mean_log_likelihood /= static_cast<double>(n);
  }
  return all;
}

}  // namespace alcedo
