// A vocabulary and its training, in one line each.
#pragma once

#include <string>

#include "alcedo/base/text.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo {

// "256 Gaussians of 64 dimensions"
std::string WordsText(const Vocabulary& vocabulary);

// "sift descriptors of 128 dimensions, PCA to 64 (87.3% of the variance)"
std::string DescriptorText(const Vocabulary& vocabulary);

// "30 iterations, log-likelihood -83.1234, converged"; empty if nothing was iterated.
std::string TrainingText(const Vocabulary& vocabulary);

// The share of the variance that PCA kept, in [0, 1].
double VarianceKept(const Pca& pca);

}  // namespace alcedo
