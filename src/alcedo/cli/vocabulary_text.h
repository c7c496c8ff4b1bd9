// A vocabulary in words.
#pragma once

#include <string>

#include "alcedo/learn/vocabulary.h"

namespace alcedo::cli {

// "256 Gaussians of 64 dimensions"
std::string WordsText(const Vocabulary& vocabulary);

// "sift descriptors of 128 dimensions, PCA to 64 (87.3% of the variance)"
std::string DescriptorText(const Vocabulary& vocabulary);

// "30 iterations, log-likelihood -83.1234, converged"; empty where nothing was iterated.
std::string TrainingText(const Vocabulary& vocabulary);

// The share of the variance that PCA kept, in [0, 1].
double VarianceKept(const Pca& pca);

// "1,234,567"
std::string Thousands(std::int64_t number);
// "215 KB"
std::string FileSize(std::int64_t bytes);

}  // namespace alcedo::cli
