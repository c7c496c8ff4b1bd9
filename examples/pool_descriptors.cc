// Pools the local descriptors of one image into one vector: a thousand patches of sky and one patch
// of a bird.
#include <cstdio>

#include "alcedo/base/random.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/pool.h"

int main() {
  // One row per patch. These are random; yours may be SIFT, the tokens of a ViT, or anything else.
  alcedo::Rng rng(1);
  alcedo::Rows patches(1001, 8);
  for (alcedo::Index n = 0; n < patches.rows(); ++n) {
    for (alcedo::Index d = 0; d < patches.cols(); ++d) {
      patches(n, d) =
          static_cast<float>((d == (n < 1000 ? 0 : 1) ? 1.0 : 0.0) + 0.02 * rng.Normal());
    }
  }
  const auto encodings = alcedo::Encodings::Dense(patches);

  alcedo::GmpOptions options;
  options.lambda = 0.1;     // relative to the mean squared norm of the rows:
  options.relative = true;  // a value that means the same for any descriptors
  const alcedo::GmpResult gmp = alcedo::PoolGmp(encodings, options);
  const alcedo::Vector sum = alcedo::PoolSum(encodings);

  const alcedo::Vector to_gmp = alcedo::Similarities(encodings, gmp.phi);
  const alcedo::Vector to_sum = alcedo::Similarities(encodings, sum);
  std::printf("similarity of the pooled vector to     sky    bird\n");
  std::printf("  sum                              %7.2f %7.2f\n", to_sum[0], to_sum[1000]);
  std::printf("  gmp (%s, residual %.0e)          %7.2f %7.2f\n", gmp.report.solver.c_str(),
              gmp.report.residual, to_gmp[0], to_gmp[1000]);

  alcedo::Vector representation = gmp.phi;
  alcedo::PowerNormalize(representation, 0.5);
  alcedo::L2Normalize(representation);
  return gmp.report.converged && to_gmp[1000] > 0.5 * to_gmp[0] ? 0 : 1;
}
