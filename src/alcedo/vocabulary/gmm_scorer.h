// Likelihoods and posteriors of many rows under one Gaussian mixture.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/vocabulary/gaussian_mixture.h"

namespace alcedo {

class MixtureTables;

// A mixture prepared for many rows: what does not depend on the rows is computed once. Rows are n
// x dimension() values, finite: a bad value is an InvalidArgument that names its row and column.
// What a row gives does not depend on the others.
//
// Log-joint probabilities are computed in float around the middle of the mixture, with a bound of
// their error; if that is above 0.01 they are computed in double. Errors are below 1e-3 for
// mixtures of descriptors, and so are relative errors of posteriors.
class GmmScorer {
 public:
  explicit GmmScorer(const GaussianMixture& mixture);

  // log(w_k p(x | k)) for all k: n x G, row by row.
  void LogJoint(const float* rows, Index n, float* out) const;

  // The Gaussian of the largest posterior for every row, decided as in double arithmetic; the
  // lowest index among equals.
  void MostLikely(const float* rows, Index n, std::int32_t* out) const;

  // Posteriors that are at least `threshold`, renormalised to sum to 1, by increasing k; the most
  // likely one always stays. `dropped` is the mean over rows of the mass that was left out before
  // renormalising. Requires a threshold in [0, 1); 0 keeps all.
  struct Posteriors {
    std::vector<Index> offsets;          // n + 1
    std::vector<std::int32_t> gaussian;  // per entry
    std::vector<float> posterior;        // per entry
    double dropped = 0;
    double mean_log_likelihood = 0;
  };
  Posteriors Compute(const float* rows, Index n, double threshold, int threads = 1) const;

  Index size() const { return size_; }
  Index dimension() const { return dimension_; }

 private:
  Index size_ = 0;
  Index dimension_ = 0;
  std::shared_ptr<const MixtureTables> tables_;  // never changed: copies share it
};

}  // namespace alcedo
