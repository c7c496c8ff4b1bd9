#include "alcedo/evaluation/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo {

std::vector<int> StratifiedFolds(std::span<const int> labels, int folds, std::uint64_t seed) {
  Require(folds >= 1, "folds", ">= 1", folds);
  Require(static_cast<std::size_t>(folds) <= labels.size(), "folds",
          fmt::format("at most the number of samples, {}", labels.size()), folds);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) continue;
    throw InvalidArgument(fmt::format("labels must be >= 0, got {} in row {}", labels[i], i));
  }
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  std::vector<int> fold(labels.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const int label = labels[order[begin]];
    while (end < order.size() && labels[order[end]] == label) ++end;
    Rng rng = Rng::ForItem(seed, static_cast<std::uint64_t>(label));
    for (std::size_t i = end - 1; i > begin; --i) {
      std::swap(order[i], order[begin + rng.UniformIndex(static_cast<Index>(i - begin + 1))]);
    }
    // Dealt like cards, from where the class before ended: that evens out the totals too.
    for (std::size_t i = begin; i < end; ++i) fold[order[i]] = static_cast<int>(i % folds);
  }
  return fold;
}

}  // namespace alcedo
