#include "alcedo/weights/patch_weights.h"

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encode/encode_descriptors.h"
#include "alcedo/pooling/gmp_weights.h"

namespace alcedo {

PatchWeights ComputePatchWeights(const Representer& representer, const Descriptors& descriptors,
                                 int threads) {
  const auto* gmp = std::get_if<GmpOptions>(&representer.pooling);
  if (gmp == nullptr) throw InvalidArgument("weights of patches are those of gmp");
  const std::vector<double>& lambdas = representer.config.lambdas;
  PatchWeights result;
  result.weights = Matrix::Zero(static_cast<Index>(lambdas.size()), descriptors.values.rows());
  if (descriptors.values.rows() == 0) return result;
  const Encodings encodings = EncodeDescriptors(representer, descriptors, threads);
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    GmpOptions options = *gmp;
    options.lambda = lambdas[l];
    options.threads = threads;
    WeightsResult solved = GmpWeights(encodings, options);
    result.weights.row(static_cast<Index>(l)) = solved.weights;
    result.reports.push_back(solved.report);
  }
  return result;
}

}  // namespace alcedo
