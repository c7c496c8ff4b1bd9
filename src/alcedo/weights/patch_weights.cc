#include "alcedo/weights/patch_weights.h"

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/pooling/gmp_weights.h"

namespace alcedo {

PatchWeights ComputePatchWeights(const Channel& channel, const Descriptors& descriptors,
                                 int threads) {
  std::vector<GmpOptions> poolings;
  for (const PoolingOptions& pooling : channel.poolings()) {
    const auto* gmp = std::get_if<GmpOptions>(&pooling);
    if (gmp == nullptr) throw InvalidArgument("pooling", "must be gmp to give weights", "");
    poolings.push_back(*gmp);
    poolings.back().threads = threads;
  }
  PatchWeights result;
  result.weights = Matrix::Zero(static_cast<Index>(poolings.size()), descriptors.values.rows());
  if (descriptors.values.rows() == 0) return result;
  const Encodings encodings = channel.Encode(descriptors, threads);
  for (std::size_t l = 0; l < poolings.size(); ++l) {
    WeightsResult solved = GmpWeights(encodings, poolings[l]);
    result.weights.row(static_cast<Index>(l)) = solved.weights;
    result.reports.push_back(solved.report);
  }
  return result;
}

}  // namespace alcedo
