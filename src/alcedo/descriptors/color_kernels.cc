#include "alcedo/descriptors/color_kernels.h"

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/descriptors/color_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::color_kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

// With d_g the difference of sum g from the first sum, the means of the groups add
// (sum d_g^2 - (sum d_g)^2 / groups) / group_size to their scatters. As the first sum is one of
// them, the subtraction loses at most a factor `groups` of precision.
template <int kGroups, bool kSamples, class D>
HWY_INLINE void MergeAt(D d, const float* const* sums, const float* const* scatters, int groups,
                        float over_groups, float over_size, int i, float* sum, float* scatter) {
  const int count = kGroups > 0 ? kGroups : groups;
  const auto first = hn::LoadU(d, sums[0] + i);
  auto total = first;
  auto differences = hn::Zero(d), squares = hn::Zero(d), within = hn::Zero(d);
  if constexpr (!kSamples) within = hn::LoadU(d, scatters[0] + i);
#pragma GCC unroll 4
  for (int g = 1; g < count; ++g) {
    const auto other = hn::LoadU(d, sums[g] + i);
    const auto difference = hn::Sub(other, first);
    total = hn::Add(total, other);
    differences = hn::Add(differences, difference);
    squares = hn::MulAdd(difference, difference, squares);
    if constexpr (!kSamples) within = hn::Add(within, hn::LoadU(d, scatters[g] + i));
  }
  const auto mean = hn::Mul(differences, hn::Set(d, over_groups));
  const auto between = hn::NegMulAdd(mean, differences, squares);
  hn::StoreU(total, d, sum + i);
  hn::StoreU(hn::MulAdd(between, hn::Set(d, over_size), within), d, scatter + i);
}

template <int kGroups, bool kSamples>
HWY_INLINE void MergeAll(const float* const* sums, const float* const* scatters, int groups,
                         int group_size, int count, float* sum, float* scatter) {
  const Floats d;
  const One one;
  const float over_groups = 1.0f / static_cast<float>(groups);
  const float over_size = 1.0f / static_cast<float>(group_size);
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    MergeAt<kGroups, kSamples>(d, sums, scatters, groups, over_groups, over_size, i, sum, scatter);
  }
  for (; i < count; ++i) {
    MergeAt<kGroups, kSamples>(one, sums, scatters, groups, over_groups, over_size, i, sum,
                               scatter);
  }
}

template <bool kSamples>
HWY_INLINE void MergeGroups(const float* const* sums, const float* const* scatters, int groups,
                            int group_size, int count, float* sum, float* scatter) {
  switch (groups) {  // known to the compiler if it is small
    case 2:
      return MergeAll<2, kSamples>(sums, scatters, groups, group_size, count, sum, scatter);
    case 3:
      return MergeAll<3, kSamples>(sums, scatters, groups, group_size, count, sum, scatter);
    default:
      return MergeAll<0, kSamples>(sums, scatters, groups, group_size, count, sum, scatter);
  }
}

void MergeOf(const float* const* sums, const float* const* scatters, int groups, int group_size,
             int count, float* sum, float* scatter) {
  if (scatters == nullptr) {
    MergeGroups<true>(sums, scatters, groups, group_size, count, sum, scatter);
  } else {
    MergeGroups<false>(sums, scatters, groups, group_size, count, sum, scatter);
  }
}

// A pair has the scatter difference^2 / 2, and two pairs have difference^2 / 4 more between them.
template <class D>
HWY_INLINE void MergeTwoByTwoAt(D d, const float* upper, const float* lower, int i, float* sum,
                                float* scatter) {
  hn::Vec<D> a, b, e, f;
  hn::LoadInterleaved2(d, upper + 2 * i, a, b);
  hn::LoadInterleaved2(d, lower + 2 * i, e, f);
  const auto left = hn::Add(a, e), right = hn::Add(b, f);
  const auto in_left = hn::Sub(a, e), in_right = hn::Sub(b, f), between = hn::Sub(left, right);
  const auto within = hn::MulAdd(in_left, in_left, hn::Mul(in_right, in_right));
  const auto half_between = hn::Mul(hn::Mul(between, between), hn::Set(d, 0.5f));
  hn::StoreU(hn::Add(left, right), d, sum + i);
  hn::StoreU(hn::Mul(hn::Add(within, half_between), hn::Set(d, 0.5f)), d, scatter + i);
}

void MergeTwoByTwoOf(const float* upper, const float* lower, int count, float* sum,
                     float* scatter) {
  const Floats d;
  const One one;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + lanes <= count; i += lanes) MergeTwoByTwoAt(d, upper, lower, i, sum, scatter);
  for (; i < count; ++i) MergeTwoByTwoAt(one, upper, lower, i, sum, scatter);
}

template <class D>
HWY_INLINE void StoreCells(D d, const float* const* sums, const float* const* scatters,
                           float over_size, float unit, int i, float* firsts, float* lasts) {
  const auto factor = hn::Set(d, over_size), scale = hn::Set(d, unit);
  hn::Vec<D> mean[3], deviation[3];
#pragma GCC unroll 3
  for (int c = 0; c < 3; ++c) {
    mean[c] = hn::Mul(hn::Mul(hn::LoadU(d, sums[c] + i), factor), scale);
    const auto variance = hn::Mul(hn::LoadU(d, scatters[c] + i), factor);
    deviation[c] = hn::Mul(hn::Sqrt(hn::Max(variance, hn::Zero(d))), scale);
  }
  hn::StoreInterleaved4(mean[0], mean[1], mean[2], hn::Zero(d), d, firsts + 4 * i);
  hn::StoreInterleaved4(mean[2], deviation[0], deviation[1], deviation[2], d, lasts + 4 * i);
}

void MeansAndDeviationsOf(const float* const* sums, const float* const* scatters, int size,
                          float unit, int count, float* firsts, float* lasts) {
  const Floats d;
  const One one;
  const float over_size = 1.0f / static_cast<float>(size);
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    StoreCells(d, sums, scatters, over_size, unit, i, firsts, lasts);
  }
  for (; i < count; ++i) StoreCells(one, sums, scatters, over_size, unit, i, firsts, lasts);
}

}  // namespace alcedo::color_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::color_kernels {

HWY_EXPORT(MergeOf);
HWY_EXPORT(MergeTwoByTwoOf);
HWY_EXPORT(MeansAndDeviationsOf);

void Merge(const float* const* sums, const float* const* scatters, int groups, int group_size,
           int count, float* sum, float* scatter) {
  HWY_DYNAMIC_DISPATCH(MergeOf)(sums, scatters, groups, group_size, count, sum, scatter);
}
void MergeTwoByTwo(const float* upper, const float* lower, int count, float* sum, float* scatter) {
  HWY_DYNAMIC_DISPATCH(MergeTwoByTwoOf)(upper, lower, count, sum, scatter);
}
void SplitPhases(const float* in, int phases, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    for (int phase = 0; phase < phases; ++phase) out[phase * count + i] = in[i * phases + phase];
  }
}
void MeansAndDeviations(const float* const* sums, const float* const* scatters, int size,
                        float unit, int count, float* firsts, float* lasts) {
  HWY_DYNAMIC_DISPATCH(MeansAndDeviationsOf)
  (sums, scatters, size, unit, count, firsts, lasts);
}

}  // namespace alcedo::color_kernels
#endif  // HWY_ONCE
