#include "alcedo/linalg/score_selection.h"

#include <algorithm>
#include <functional>
#include <limits>

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/linalg/score_selection.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#ifndef ALCEDO_LINALG_SCORE_SELECTION_ONCE
#define ALCEDO_LINALG_SCORE_SELECTION_ONCE
namespace alcedo::kernels {

// kept.lanes[bits]: the lanes whose bit is set, in order.
struct KeptLanes {
  alignas(8) std::uint8_t lanes[256][8];
};
constexpr KeptLanes MakeKeptLanes() {
  KeptLanes table{};
  for (int bits = 0; bits < 256; ++bits) {
    int count = 0;
    for (int lane = 0; lane < 8; ++lane) {
      if ((bits >> lane & 1) != 0) table.lanes[bits][count++] = static_cast<std::uint8_t>(lane);
    }
  }
  return table;
}
inline constexpr KeptLanes kKeptLanes = MakeKeptLanes();

}  // namespace alcedo::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace alcedo::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Ints = hn::ScalableTag<std::int32_t>;
using FloatVector = hn::Vec<Floats>;
using IntVector = hn::Vec<Ints>;

constexpr Index kLanes = hn::MaxLanes(Floats());
constexpr int kPanelVectors = static_cast<int>(kScorePanel / kLanes);

// Stores the lanes in `mask` side by side, and whatever behind them. Returns how many they are.
//
// CompressStore takes a hundred cycles on Zen 4 if memory is the target, and without AVX-512 g++
// 12 copies Highway's table to the stack every time: hence Compress, and a table of our own.
template <class Mask>
HWY_INLINE Index StoreKept(FloatVector values, IntVector names, Mask mask, float* to_values,
                           std::int32_t* to_names) {
  const Floats d;
  const Ints di;
#if HWY_TARGET <= HWY_AVX3
  hn::StoreU(hn::Compress(values, mask), d, to_values);
  hn::StoreU(hn::Compress(names, hn::RebindMask(di, mask)), di, to_names);
  return static_cast<Index>(hn::CountTrue(d, mask));
#else
  std::uint8_t bits[8] = {0};
  hn::StoreMaskBits(d, mask, bits);
  const hn::Rebind<std::uint8_t, Ints> bytes;
  const auto lanes =
      hn::IndicesFromVec(d, hn::PromoteTo(di, hn::LoadU(bytes, kKeptLanes.lanes[bits[0]])));
  const auto lanes_of_names =
      hn::IndicesFromVec(di, hn::PromoteTo(di, hn::LoadU(bytes, kKeptLanes.lanes[bits[0]])));
  hn::StoreU(hn::TableLookupLanes(values, lanes), d, to_values);
  hn::StoreU(hn::TableLookupLanes(names, lanes_of_names), di, to_names);
  return __builtin_popcount(bits[0]);
#endif
}

HWY_INLINE FloatVector LowerBounds(const ScoreFunctions& f, const float* scores, FloatVector error,
                                   Index k) {
  const Floats d;
  return hn::NegMulAdd(error, hn::LoadU(d, f.norms.data() + k), hn::LoadU(d, scores + k));
}

// Every lane keeps its largest upper bound, where that was, and its second largest.
BestScore FindBestOf(const ScoreFunctions& f, const float* scores, float error) {
  const Floats d;
  const Ints di;
  const FloatVector e = hn::Set(d, error);
  FloatVector first = hn::Set(d, -std::numeric_limits<float>::infinity()), second = first;
  auto where = hn::Zero(di);
  for (Index k = 0; k < f.padded; k += kLanes) {
    const FloatVector upper =
        hn::MulAdd(e, hn::LoadU(d, f.norms.data() + k), hn::LoadU(d, scores + k));
    where = hn::IfThenElse(hn::RebindMask(di, hn::Gt(upper, first)),
                           hn::Set(di, static_cast<std::int32_t>(k)), where);
    second = hn::Max(second, hn::Min(upper, first));
    first = hn::Max(first, upper);
  }
  const auto is_best = hn::Eq(first, hn::MaxOfLanes(d, first));
  const auto lane = hn::FindFirstTrue(d, is_best);
  HWY_ALIGN std::int32_t places[kLanes];
  hn::Store(where, di, places);
  const auto index = static_cast<std::int32_t>(places[lane] + lane);
  // Beside the best lane's second the firsts of the others.
  const auto others = hn::Ne(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(lane)));
  const FloatVector rest = hn::IfThenElse(hn::RebindMask(d, others), first, second);
  const float runner_up = hn::GetLane(hn::MaxOfLanes(d, rest));
  return {index, runner_up < scores[index] - error * f.norms[index]};
}

float LowerBoundOfKthOf(const ScoreFunctions& f, const float* scores, float error, Index k) {
  const Floats d;
  const FloatVector e = hn::Set(d, error);
  FloatVector most[kPanelVectors];
  for (int v = 0; v < kPanelVectors; ++v) most[v] = LowerBounds(f, scores, e, v * kLanes);
  for (Index panel = kScorePanel; panel < f.padded; panel += kScorePanel) {
    for (int v = 0; v < kPanelVectors; ++v) {
      most[v] = hn::Max(most[v], LowerBounds(f, scores, e, panel + v * kLanes));
    }
  }
  if (k == 1) {
    for (int v = 1; v < kPanelVectors; ++v) most[0] = hn::Max(most[0], most[v]);
    return hn::GetLane(hn::MaxOfLanes(d, most[0]));
  }
  if (k > kScorePanel) return -std::numeric_limits<float>::infinity();
  HWY_ALIGN float values[kScorePanel];
  for (int v = 0; v < kPanelVectors; ++v) hn::Store(most[v], d, values + v * kLanes);
  std::nth_element(values, values + k - 1, values + kScorePanel, std::greater<>());
  return values[k - 1];
}

SelectedScores SelectOf(const ScoreFunctions& f, const float* scores, float error, float bound,
                        std::int32_t* selected, float* values) {
  const Floats d;
  const Ints di;
  const FloatVector e = hn::Set(d, error), b = hn::Set(d, bound);
  FloatVector largest = hn::Set(d, -std::numeric_limits<float>::infinity());
  FloatVector largest_norm = hn::Zero(d);
  auto where = hn::Iota(di, 0);
  Index count = 0;
  for (Index k = 0; k < f.padded; k += kLanes) {
    const FloatVector score = hn::LoadU(d, scores + k), norm = hn::LoadU(d, f.norms.data() + k);
    const auto mask = hn::Ge(hn::MulAdd(e, norm, score), b);
    largest = hn::IfThenElse(mask, hn::Max(largest, score), largest);
    largest_norm = hn::Max(largest_norm, hn::IfThenElseZero(mask, norm));
    count += StoreKept(score, where, mask, values + count, selected + count);
    where = hn::Add(where, hn::Set(di, static_cast<std::int32_t>(kLanes)));
  }
  return {count, hn::GetLane(hn::MaxOfLanes(d, largest)),
          hn::GetLane(hn::MaxOfLanes(d, largest_norm))};
}

float ExpDifferencesOf(float* values, Index count, float subtract) {
  const Floats d;
  const FloatVector shift = hn::Set(d, subtract);
  FloatVector sum = hn::Zero(d);
  const Index padded = (count + kLanes - 1) / kLanes * kLanes;
  std::fill(values + count, values + padded, -std::numeric_limits<float>::infinity());
  for (Index i = 0; i < padded; i += kLanes) {
    const FloatVector e = hn::Exp(d, hn::Sub(hn::LoadU(d, values + i), shift));
    hn::StoreU(e, d, values + i);
    sum = hn::Add(sum, e);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

Kept ScaleAndKeepOf(float* values, std::int32_t* names, Index count, float factor, float least) {
  const Floats d;
  const Ints di;
  const FloatVector f = hn::Set(d, factor), l = hn::Set(d, least);
  FloatVector sum = hn::Zero(d);
  Index kept = 0;
  for (Index i = 0; i < count; i += kLanes) {
    const FloatVector v = hn::Mul(hn::LoadU(d, values + i), f);
    const auto name = hn::LoadU(di, names + i);
    const auto mask = hn::And(hn::Ge(v, l), hn::FirstN(d, static_cast<std::size_t>(count - i)));
    // What is stored beyond the kept ones is not behind what was read.
    kept += StoreKept(v, name, mask, values + kept, names + kept);
    sum = hn::Add(sum, hn::IfThenElseZero(mask, v));
  }
  return {kept, hn::GetLane(hn::SumOfLanes(d, sum))};
}

}  // namespace alcedo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::kernels {

HWY_EXPORT(FindBestOf);
HWY_EXPORT(LowerBoundOfKthOf);
HWY_EXPORT(SelectOf);
HWY_EXPORT(ExpDifferencesOf);
HWY_EXPORT(ScaleAndKeepOf);

BestScore FindBest(const ScoreFunctions& functions, const float* scores, float error) {
  return HWY_DYNAMIC_DISPATCH(FindBestOf)(functions, scores, error);
}
float LowerBoundOfKth(const ScoreFunctions& functions, const float* scores, float error, Index k) {
  return HWY_DYNAMIC_DISPATCH(LowerBoundOfKthOf)(functions, scores, error, k);
}
SelectedScores SelectByUpperBound(const ScoreFunctions& functions, const float* scores, float error,
                                  float bound, std::int32_t* selected, float* values) {
  return HWY_DYNAMIC_DISPATCH(SelectOf)(functions, scores, error, bound, selected, values);
}

float ExpDifferences(float* values, Index count, float subtract) {
  return HWY_DYNAMIC_DISPATCH(ExpDifferencesOf)(values, count, subtract);
}
Kept ScaleAndKeep(float* values, std::int32_t* names, Index count, float factor, float least) {
  return HWY_DYNAMIC_DISPATCH(ScaleAndKeepOf)(values, names, count, factor, least);
}

}  // namespace alcedo::kernels
#endif  // HWY_ONCE
