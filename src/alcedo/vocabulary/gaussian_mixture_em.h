// The two halves of an iteration of EM, and the sufficient statistics between them.
#pragma once

#include <span>
#include <vector>

#include "alcedo/base/ranks.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture.h"

namespace alcedo {

// Sums over the samples of posteriors q_k and of q_k t and q_k t^2 with t = (x - mean_k) scale:
// around the means of before, so that a small variance is not the difference of large numbers.
// Scales are powers of two and keep squares inside the range of float.
struct MixtureSums {
  Vector counts;         // G
  Matrix first, second;  // G x d
  double log_likelihood = 0;
  std::vector<float> scale;  // d: follows from the mixture, and is no sum

  // Requires sums around the same mixture.
  void Add(const MixtureSums& other);
  template <class Visit>
  void VisitValues(Visit&& visit) {
    visit(std::span(counts.data(), static_cast<std::size_t>(counts.size())));
    visit(std::span(first.data(), static_cast<std::size_t>(first.size())));
    visit(std::span(second.data(), static_cast<std::size_t>(second.size())));
    visit(std::span(&log_likelihood, 1));
  }
};

// Collective: the E-step. Posteriors below 1e-6 are left out and the others made to sum to 1.
MixtureSums SumPosteriors(const RankedSamples& samples, const GaussianMixture& mixture,
                          int threads);

// Collective: the same for posteriors 1 of the nearest mean, with which EM starts.
MixtureSums SumNearest(const RankedSamples& samples, const GaussianMixture& mixture, int threads);

// The M-step: `mixture` is what the sums are of. Sets *replaced if a Gaussian was too light and
// took half of the heaviest.
GaussianMixture Maximize(const GaussianMixture& mixture, const MixtureSums& sums,
                         const Vector& variance_floors, double min_weight, bool* replaced);

}  // namespace alcedo
