// Folds for cross-validation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace alcedo {

// The fold, in [0, folds), of every sample. Between folds, the number of samples of every class
// differs by at most one, and so does the number of all samples. Chance is in the seed alone.
// Requires labels >= 0 and 1 <= folds <= the number of samples.
std::vector<int> StratifiedFolds(std::span<const int> labels, int folds, std::uint64_t seed);

}  // namespace alcedo
