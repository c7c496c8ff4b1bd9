#include "alcedo/normalization/power_kernels.h"

// As in encoding_kernels.cc.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/normalization/power_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One step: as many values as D has lanes.
template <class D>
HWY_INLINE void PowerStep(D d, float* v, float largest, float power, float scale) {
  const auto x = hn::LoadU(d, v);
  const auto share = hn::Div(hn::Abs(x), hn::Set(d, largest));
  const auto magnitude =
      hn::Mul(hn::Set(d, scale), hn::Exp(d, hn::Mul(hn::Set(d, power), hn::Log(d, share))));
  const auto is_zero = hn::Eq(x, hn::Zero(d));
  hn::StoreU(hn::IfThenElse(is_zero, x, hn::CopySign(magnitude, x)), d, v);
}

void ScaledPowersOf(float* v, Index size, float largest, float power, float scale) {
  // Whole vectors first; then one value at a time, in vectors of one lane, so that a value is
  // treated alike wherever it lies.
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 1> single;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  Index i = 0;
  for (; i + lanes <= size; i += lanes) PowerStep(wide, v + i, largest, power, scale);
  for (; i < size; ++i) PowerStep(single, v + i, largest, power, scale);
}

}  // namespace alcedo::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::internal {

HWY_EXPORT(ScaledPowersOf);

void ScaledPowers(float* v, Index size, float largest, float power, float scale) {
  HWY_DYNAMIC_DISPATCH(ScaledPowersOf)(v, size, largest, power, scale);
}

}  // namespace alcedo::internal
#endif  // HWY_ONCE
