// The two halves of an iteration of EM.
#pragma once

#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

// Sums over the samples of posteriors q_k and of q_k t and q_k t^2 with t = (x - mean_k) scale:
// around the means of before, so that a small variance is not the difference of large numbers.
// Scales are powers of two and keep squares inside the range of float.
struct MixtureSums {
  Vector counts;         // G
  Matrix first, second;  // G x d
  double log_likelihood = 0;
  std::vector<float> scale;  // d
};

// The E-step. Posteriors below 1e-6 are left out and the others made to sum to 1.
MixtureSums SumPosteriors(const SampleSource& samples, const GaussianMixture& mixture, int threads);

// The same for posteriors 1 of the nearest mean: EM's start.
MixtureSums SumNearest(const SampleSource& samples, const GaussianMixture& mixture, int threads);

// The M-step: `mixture` is what the sums are of. Sets *replaced where a Gaussian was too light and
// took half of the heaviest.
GaussianMixture Maximize(const GaussianMixture& mixture, const MixtureSums& sums,
                         const Vector& variance_floors, double min_weight, bool* replaced);

}  // namespace alcedo
