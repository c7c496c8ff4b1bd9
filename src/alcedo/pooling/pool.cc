#include "alcedo/pooling/pool.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

PoolResult PoolWeighted(const Encodings& encodings, const Vector& weights) {
  if (weights.size() != encodings.num_rows()) {
    throw InvalidArgument(fmt::format("weighted.weights must have one value per row, {}, got {}",
                                      encodings.num_rows(), weights.size()));
  }
  for (Index n = 0; n < weights.size(); ++n) {
    if (!std::isfinite(weights[n])) {
      throw InvalidArgument(
          fmt::format("weighted.weights must be finite, got {} for row {}", weights[n], n));
    }
  }
  return {WeightedSum(encodings, weights), {}};
}

PoolResult PoolDemocratic(const Encodings& encodings, const DemocraticOptions& options) {
  WeightsResult result = DemocraticWeights(encodings, options);
  return {WeightedSum(encodings, result.weights, options.threads), std::move(result.report)};
}

PoolResult PoolWithGmp(const Encodings& encodings, const GmpOptions& options) {
  GmpResult result = PoolGmp(encodings, options);
  return {std::move(result.phi), std::move(result.report)};
}

}  // namespace

PoolResult Pool(const Encodings& encodings, const PoolingOptions& options) {
  return std::visit(
      Overloaded{
          [&](const SumOptions&) -> PoolResult { return {PoolSum(encodings), {}}; },
          [&](const MeanOptions&) -> PoolResult { return {PoolMean(encodings), {}}; },
          [&](const MaxOptions&) -> PoolResult { return {PoolMax(encodings), {}}; },
          [&](const LpOptions& o) -> PoolResult { return {PoolLp(encodings, o), {}}; },
          [&](const SoftmaxOptions& o) -> PoolResult { return {PoolSoftmax(encodings, o), {}}; },
          [&](const WeightedOptions& o) { return PoolWeighted(encodings, o.weights); },
          [&](const GmpOptions& o) { return PoolWithGmp(encodings, o); },
          [&](const DemocraticOptions& o) { return PoolDemocratic(encodings, o); }},
      options);
}

}  // namespace alcedo
