#include "alcedo/encoding/encoding_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/encoding/encoding_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::encoding::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Whole vectors first; then one value at a time, in vectors of one lane so that a value is treated
// alike wherever it lies.
using Wide = hn::ScalableTag<float>;
using Single = hn::CappedTag<float, 1>;

// cos(pi t) for |t| <= kMostHalfTurns, times `scale`, which the coefficients contain.
template <class D>
class Cosine {
 public:
  using V = hn::Vec<D>;

  explicit Cosine(float scale) {
    // The polynomial in r^2 of least error on |r| <= 1/2; its error is 5e-8.
    constexpr double kCoefficients[] = {0.99999995346667, -4.93479285867561, 4.05841191417392,
                                        -1.33188016129276, 0.219696798691972};
    for (int i = 0; i < 5; ++i) {
      c_[i] = hn::Set(d_, static_cast<float>(kCoefficients[i] * static_cast<double>(scale)));
    }
  }

  HWY_INLINE V operator()(V t) const {
    // Adding this number rounds t to an integer n, whose parity is then the lowest bit: the sign of
    // cos(pi t) = (-1)^n cos(pi (t - n)).
    const V shift = hn::Set(d_, 12582912.0f);  // 1.5 x 2^23
    const V shifted = hn::Add(t, shift);
    const V r = hn::Sub(t, hn::Sub(shifted, shift));
    const hn::RebindToUnsigned<D> bits;
    const V sign = hn::BitCast(d_, hn::ShiftLeft<31>(hn::BitCast(bits, shifted)));
    const V r2 = hn::Mul(r, r);
    V sum = hn::MulAdd(c_[4], r2, c_[3]);
    sum = hn::MulAdd(sum, r2, c_[2]);
    sum = hn::MulAdd(sum, r2, c_[1]);
    sum = hn::MulAdd(sum, r2, c_[0]);
    return hn::Xor(sum, sign);
  }

 private:
  D d_;
  V c_[5];
};

// One step of ScaledCosines: as many values as D has lanes. False if one is out of range.
template <class D>
HWY_INLINE bool CosineStep(D d, const Cosine<D>& cosine, const float* values, const float* phases,
                           float* out) {
  const auto t = hn::Add(hn::LoadU(d, values), hn::LoadU(d, phases));
  const auto in_range = hn::Le(hn::Abs(t), hn::Set(d, kMostHalfTurns));
  const auto nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  hn::StoreU(hn::IfThenElse(in_range, cosine(t), nan), d, out);
  return hn::AllTrue(d, in_range);
}

bool ScaledCosinesOf(const float* values, Index rows, Index cols, Index stride, const float* phases,
                     float scale, float* out, Index out_stride) {
  const Wide wide;
  const Single single;
  const Cosine<Wide> wide_cosine(scale);
  const Cosine<Single> single_cosine(scale);
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  bool all_in_range = true;
  for (Index i = 0; i < rows; ++i) {
    const float* from = values + i * stride;
    float* to = out + i * out_stride;
    Index j = 0;
    for (; j + lanes <= cols; j += lanes) {
      all_in_range &= CosineStep(wide, wide_cosine, from + j, phases + j, to + j);
    }
    for (; j < cols; ++j) {
      all_in_range &= CosineStep(single, single_cosine, from + j, phases + j, to + j);
    }
  }
  return all_in_range;
}

template <class D>
HWY_INLINE void FisherStep(D d, const float* row, const float* mean, const float* inverse_sigma,
                           hn::Vec<D> u_scale, hn::Vec<D> v_scale, float* u, float* v) {
  const auto z =
      hn::Mul(hn::Sub(hn::LoadU(d, row), hn::LoadU(d, mean)), hn::LoadU(d, inverse_sigma));
  hn::StoreU(hn::Mul(z, u_scale), d, u);
  hn::StoreU(hn::Mul(hn::MulSub(z, z, hn::Set(d, 1.0f)), v_scale), d, v);
}

void FisherBlocksOf(const FisherView& mixture, const FisherEntries& entries, float* out) {
  const Wide wide;
  const Single single;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  const Index dimension = mixture.dimension;
  for (Index n = 0; n < entries.count; ++n) {
    const float* row = entries.rows + n * dimension;
    const Index begin = entries.offsets == nullptr ? n : entries.offsets[n];
    const Index end = entries.offsets == nullptr ? n + 1 : entries.offsets[n + 1];
    for (Index e = begin; e < end; ++e) {
      const Index k = entries.gaussians[e];
      const float q = entries.posteriors == nullptr ? 1 : entries.posteriors[e];
      const float u_scale = q * mixture.u_scales[k], v_scale = q * mixture.v_scales[k];
      const float* mean = mixture.means + k * dimension;
      const float* inverse_sigma = mixture.inverse_sigmas + k * dimension;
      float* u = out;
      float* v = out + dimension;
      out += 2 * dimension;
      Index j = 0;
      for (; j + lanes <= dimension; j += lanes) {
        FisherStep(wide, row + j, mean + j, inverse_sigma + j, hn::Set(wide, u_scale),
                   hn::Set(wide, v_scale), u + j, v + j);
      }
      for (; j < dimension; ++j) {
        FisherStep(single, row + j, mean + j, inverse_sigma + j, hn::Set(single, u_scale),
                   hn::Set(single, v_scale), u + j, v + j);
      }
    }
  }
}

// AddFisherMoments for kVectors vectors of columns, which stay in registers over a run of rows:
// sums of a run are in float, those of runs in double.
template <int kVectors, class D>
HWY_INLINE void AddMomentsOfColumns(D d, const float* rows, Index stride, const Index* members,
                                    Index count, const float* posteriors, const float* mean,
                                    const float* inverse_sigma, double* first, double* second) {
  constexpr Index kRun = 64;
  using V = hn::Vec<D>;
  constexpr auto kLanes = hn::MaxLanes(D());
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  V means[kVectors], inverses[kVectors];
  for (int c = 0; c < kVectors; ++c) {
    means[c] = hn::LoadU(d, mean + c * lanes);
    inverses[c] = hn::LoadU(d, inverse_sigma + c * lanes);
  }
  for (Index begin = 0; begin < count; begin += kRun) {
    V sums[kVectors], squares[kVectors];
    for (int c = 0; c < kVectors; ++c) sums[c] = squares[c] = hn::Zero(d);
    for (Index i = begin; i < std::min(count, begin + kRun); ++i) {
      const float* row = rows + members[i] * stride;
      const V q = hn::Set(d, posteriors == nullptr ? 1.0f : posteriors[i]);
#pragma GCC unroll 4
      for (int c = 0; c < kVectors; ++c) {
        const V z = hn::Mul(hn::Sub(hn::LoadU(d, row + c * lanes), means[c]), inverses[c]);
        sums[c] = hn::MulAdd(q, z, sums[c]);
        squares[c] = hn::MulAdd(q, hn::MulSub(z, z, hn::Set(d, 1.0f)), squares[c]);
      }
    }
    float lane[kLanes];
    for (int c = 0; c < kVectors; ++c) {
      hn::StoreU(sums[c], d, lane);
      for (Index l = 0; l < lanes; ++l) first[c * lanes + l] += lane[l];
      hn::StoreU(squares[c], d, lane);
      for (Index l = 0; l < lanes; ++l) second[c * lanes + l] += lane[l];
    }
  }
}

void AddFisherMomentsOf(const float* rows, Index dimension, const Index* members, Index count,
                        const float* posteriors, const float* mean, const float* inverse_sigma,
                        double* first, double* second) {
  const Wide wide;
  const Single single;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  Index j = 0;
  for (; j + 4 * lanes <= dimension; j += 4 * lanes) {
    AddMomentsOfColumns<4>(wide, rows + j, dimension, members, count, posteriors, mean + j,
                           inverse_sigma + j, first + j, second + j);
  }
  for (; j + lanes <= dimension; j += lanes) {
    AddMomentsOfColumns<1>(wide, rows + j, dimension, members, count, posteriors, mean + j,
                           inverse_sigma + j, first + j, second + j);
  }
  for (; j < dimension; ++j) {
    AddMomentsOfColumns<1>(single, rows + j, dimension, members, count, posteriors, mean + j,
                           inverse_sigma + j, first + j, second + j);
  }
}

}  // namespace alcedo::encoding::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::encoding {

HWY_EXPORT(ScaledCosinesOf);
HWY_EXPORT(FisherBlocksOf);
HWY_EXPORT(AddFisherMomentsOf);

bool ScaledCosines(const float* values, Index rows, Index cols, Index stride, const float* phases,
                   float scale, float* out, Index out_stride) {
  return HWY_DYNAMIC_DISPATCH(ScaledCosinesOf)(values, rows, cols, stride, phases, scale, out,
                                               out_stride);
}
void FisherBlocks(const FisherView& mixture, const FisherEntries& entries, float* out) {
  HWY_DYNAMIC_DISPATCH(FisherBlocksOf)(mixture, entries, out);
}
void AddFisherMoments(const float* rows, Index dimension, const Index* members, Index count,
                      const float* posteriors, const float* mean, const float* inverse_sigma,
                      double* first, double* second) {
  HWY_DYNAMIC_DISPATCH(AddFisherMomentsOf)(rows, dimension, members, count, posteriors, mean,
                                           inverse_sigma, first, second);
}

}  // namespace alcedo::encoding
#endif  // HWY_ONCE
