#include "alcedo/classifier/dual_block.h"

#include <algorithm>
#include <numeric>

#include "alcedo/base/random.h"

namespace alcedo {
namespace {

constexpr std::uint64_t kSeed = 2008;

template <class Order>
void Shuffle(Order* order, Index size, Rng rng) {
  std::iota(order, order + size, 0);
  for (Index i = size; i > 1; --i) std::swap(order[i - 1], order[rng.UniformIndex(i)]);
}

}  // namespace

void FillDualBlock(const float* gram, Index stride, Index size, double bias, DualBlock& block) {
  block.size = size;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      block.gram[i * kDualBlock + j] = double{gram[i * stride + j]} + bias * bias;
    }
  }
}

bool DescendBlock(const DualBlock& block, const std::int8_t* targets, const SvmCosts& costs,
                  SvmLoss loss, double* alpha, const double* scores, float* delta) {
  double now[kDualBlock];
  std::copy_n(scores, block.size, now);
  std::fill_n(delta, block.size, 0.0F);
  bool changed = false;
  for (Index k = 0; k < block.size; ++k) {
    const Index i = block.order[k];
    if (targets[i] == 0) continue;
    const double y = targets[i], cost = costs.Of(targets[i]);
    const double* column = block.gram + i * kDualBlock;
    const double before = alpha[i];
    double slope = y * now[i] - 1, curvature = column[i], after;
    if (loss == SvmLoss::kSquaredHinge) {
      slope += before / (2 * cost);
      curvature += 1 / (2 * cost);
      after = std::max(0.0, before - slope / curvature);
    } else if (curvature > 0) {
      after = std::clamp(before - slope / curvature, 0.0, cost);
    } else {  // a zero row without bias: the objective is linear
      after = slope < 0 ? cost : (slope > 0 ? 0.0 : before);
    }
    // Of float precision, so that the step is exact if the alpha is kept in float: else the
    // scores would drift away from what the alphas say, by a little in every pass.
    after = static_cast<float>(after);
    const auto step = static_cast<float>(y * (after - before));
    if (step == 0) continue;
    alpha[i] = after;
    delta[i] = step;
    changed = true;
    for (Index j = 0; j < block.size; ++j) now[j] += step * column[j];
  }
  return changed;
}

void AddDualSums(Index count, const std::int8_t* targets, const SvmCosts& costs, SvmLoss loss,
                 const double* alpha, const double* scores, DualSums& sums) {
  for (Index i = 0; i < count; ++i) {
    if (targets[i] == 0) continue;
    const double cost = costs.Of(targets[i]);
    const double slack = std::max(0.0, 1 - targets[i] * scores[i]);
    if (loss == SvmLoss::kSquaredHinge) {
      sums.losses += cost * slack * slack;
      sums.duals += alpha[i] - alpha[i] * alpha[i] / (4 * cost);
    } else {
      sums.losses += cost * slack;
      sums.duals += alpha[i];
    }
  }
}

std::vector<Index> BlockOrder(Index blocks, int pass) {
  std::vector<Index> order(blocks);
  Shuffle(order.data(), blocks, Rng::ForItem(kSeed, static_cast<std::uint64_t>(pass)));
  return order;
}

void ShuffleBlock(DualBlock& block, int pass, Index number) {
  const auto item = static_cast<std::uint64_t>(number);
  Shuffle(block.order, block.size,
          Rng::ForItem(kSeed + 1 + static_cast<std::uint64_t>(pass), item));
}

}  // namespace alcedo
