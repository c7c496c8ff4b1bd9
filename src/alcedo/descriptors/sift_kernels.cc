#include "alcedo/descriptors/sift_kernels.h"

#include <cmath>
#include <cstddef>

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/descriptors/sift_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::sift_kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

// A histogram: one vector of 8, or several smaller ones.
using Bins = hn::CappedTag<float, kOrientations>;
using BinVector = hn::Vec<Bins>;
constexpr int kBinLanes = static_cast<int>(hn::MaxLanes(Bins()));
constexpr int kParts = kOrientations / kBinLanes;

// 4 / pi atan(r) for 0 <= r <= 1, to 4e-6: the polynomial in r^2 through the Chebyshev nodes.
template <class D>
HWY_INLINE hn::Vec<D> Eighths(D d, hn::Vec<D> r) {
  constexpr float kCoefficients[] = {1.2732330f,   -0.42393416f, 0.24872300f,
                                     -0.15335990f, 0.072052607f, -0.016718122f};
  const auto z = hn::Mul(r, r);
  auto sum = hn::Set(d, kCoefficients[5]);
#pragma GCC unroll 5
  for (int k = 4; k >= 0; --k) sum = hn::MulAdd(sum, z, hn::Set(d, kCoefficients[k]));
  return hn::Mul(sum, r);
}

// Angles in eighths of a turn, [0, 8], from +x towards +y, and magnitudes.
template <class D>
HWY_INLINE void StorePolar(D d, hn::Vec<D> gx, hn::Vec<D> gy, float* angle, float* magnitude) {
  const auto zero = hn::Zero(d);
  const auto ax = hn::Abs(gx), ay = hn::Abs(gy);
  const auto larger = hn::Max(hn::Max(ax, ay), hn::Set(d, 1e-30f));  // 0 / 0 is no angle
  auto t = Eighths(d, hn::Div(hn::Min(ax, ay), larger));
  t = hn::IfThenElse(hn::Gt(ay, ax), hn::Sub(hn::Set(d, 2.0f), t), t);
  t = hn::IfThenElse(hn::Lt(gx, zero), hn::Sub(hn::Set(d, 4.0f), t), t);
  t = hn::IfThenElse(hn::Lt(gy, zero), hn::Sub(hn::Set(d, 8.0f), t), t);
  hn::StoreU(t, d, angle);
  hn::StoreU(hn::Sqrt(hn::MulAdd(gx, gx, hn::Mul(gy, gy))), d, magnitude);
}

// Column x of the row, with the derivative (row[right] - row[left]) * x_factor.
template <class D>
HWY_INLINE void StorePolarAt(D d, const float* above, const float* row, const float* below, int x,
                             int left, int right, float x_factor, float y_factor, float* angles,
                             float* magnitudes) {
  const auto gx =
      hn::Mul(hn::Sub(hn::LoadU(d, row + right), hn::LoadU(d, row + left)), hn::Set(d, x_factor));
  const auto gy =
      hn::Mul(hn::Sub(hn::LoadU(d, below + x), hn::LoadU(d, above + x)), hn::Set(d, y_factor));
  StorePolar(d, gx, gy, angles + x, magnitudes + x);
}

// The magnitude between the two bins next to the angle t. Around the circle of 8 bins, bin b gets
// the share max(0, 1 - distance), and ||t - b| - 4| - 3 is 1 - distance where that is positive.
HWY_INLINE void StoreHistogram(float t, float magnitude, float* out) {
  const Bins d;
  const auto four = hn::Set(d, 4.0f), three = hn::Set(d, 3.0f);
#pragma GCC unroll 8
  for (int part = 0; part < kParts; ++part) {
    const auto bins = hn::Iota(d, static_cast<float>(part * kBinLanes));
    const auto folded = hn::Abs(hn::Sub(hn::Abs(hn::Sub(hn::Set(d, t), bins)), four));
    const auto share = hn::Max(hn::Sub(folded, three), hn::Zero(d));
    hn::StoreU(hn::Mul(share, hn::Set(d, magnitude)), d, out + part * kBinLanes);
  }
}

HWY_INLINE void CopyHistogram(const float* from, float* to) {
  const Bins d;
  for (int part = 0; part < kParts; ++part) {
    hn::StoreU(hn::LoadU(d, from + part * kBinLanes), d, to + part * kBinLanes);
  }
}

void OrientedRowOf(const float* above, const float* row, const float* below, float y_factor,
                   int width, int pad_left, int pad_right, float* scratch, float* out) {
  const Floats d;
  const One one;
  const int lanes = static_cast<int>(hn::Lanes(d));
  float *angles = scratch, *magnitudes = scratch + width;
  const int last = width - 1;
  StorePolarAt(one, above, row, below, 0, 0, 1, 1.0f, y_factor, angles, magnitudes);
  int x = 1;
  for (; x + lanes <= last; x += lanes) {
    StorePolarAt(d, above, row, below, x, x - 1, x + 1, 0.5f, y_factor, angles, magnitudes);
  }
  for (; x < last; ++x) {
    StorePolarAt(one, above, row, below, x, x - 1, x + 1, 0.5f, y_factor, angles, magnitudes);
  }
  StorePolarAt(one, above, row, below, last, last - 1, last, 1.0f, y_factor, angles, magnitudes);

  float* inside = out + static_cast<std::ptrdiff_t>(pad_left) * kOrientations;
  for (x = 0; x < width; ++x) {
    StoreHistogram(angles[x], magnitudes[x], inside + x * kOrientations);
  }
  for (int i = 0; i < pad_left; ++i) CopyHistogram(inside, out + i * kOrientations);
  float* end = inside + static_cast<std::ptrdiff_t>(width) * kOrientations;
  for (int i = 0; i < pad_right; ++i) {
    CopyHistogram(end - kOrientations, end + i * kOrientations);
  }
}

// kCount positions at once: as many independent sums hide the latency of the multiply-add.
template <int kCount>
HWY_INLINE void HorizontalSums(const float* histograms, const float* weights, int taps,
                               const int* positions, float* out) {
  const Bins d;
  const float* from[kCount];
  BinVector sums[kCount * kParts];
  for (int j = 0; j < kCount; ++j) {
    from[j] = histograms + static_cast<std::ptrdiff_t>(positions[j]) * kOrientations;
  }
  for (int k = 0; k < kCount * kParts; ++k) sums[k] = hn::Zero(d);
  for (int t = 0; t < taps; ++t) {
    const auto weight = hn::Set(d, weights[t]);
#pragma GCC unroll 4
    for (int j = 0; j < kCount; ++j) {
#pragma GCC unroll 8
      for (int part = 0; part < kParts; ++part) {
        auto& sum = sums[j * kParts + part];
        sum = hn::MulAdd(hn::LoadU(d, from[j] + t * kOrientations + part * kBinLanes), weight, sum);
      }
    }
  }
  for (int k = 0; k < kCount * kParts; ++k) hn::StoreU(sums[k], d, out + k * kBinLanes);
}

void HorizontalCellsOf(const float* histograms, const float* weights, int taps,
                       const int* positions, int count, float* out) {
  int j = 0;
  for (; j + 4 <= count; j += 4) {
    HorizontalSums<4>(histograms, weights, taps, positions + j, out + j * kOrientations);
  }
  for (; j < count; ++j) {
    HorizontalSums<1>(histograms, weights, taps, positions + j, out + j * kOrientations);
  }
}

// kVectors vectors of a row of cells at once, for the same reason.
template <int kVectors, class D>
HWY_INLINE void VerticalSums(D d, const float* const* rows, const float* weights, int taps, int at,
                             float* out) {
  const int lanes = static_cast<int>(hn::Lanes(d));
  hn::Vec<D> sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (int t = 0; t < taps; ++t) {
    const auto weight = hn::Set(d, weights[t]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::MulAdd(hn::LoadU(d, rows[t] + at + v * lanes), weight, sums[v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, out + at + v * lanes);
}

void VerticalCellsOf(const float* const* rows, const float* weights, int taps, int count,
                     float* out) {
  const Floats d;
  const Bins bins;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) VerticalSums<4>(d, rows, weights, taps, i, out);
  for (; i < count; i += kBinLanes) VerticalSums<1>(bins, rows, weights, taps, i, out);
}

// Sums go into two halves in turn, which hides the latency of the additions.
HWY_INLINE float Total(const BinVector* halves) {
  return hn::GetLane(hn::SumOfLanes(Bins(), hn::Add(halves[0], halves[1])));
}

// Returns whether the descriptor is flat.
HWY_INLINE bool Describe(const float* const* rows, const int* columns, const DescriptorRule& rule,
                         float* out) {
  const Bins d;
  constexpr int kVectors = kCells * kParts;
  BinVector values[kVectors];
  const auto zero = hn::Zero(d);
  BinVector sum[2] = {zero, zero}, squares[2] = {zero, zero};
#pragma GCC unroll 16
  for (int k = 0; k < kVectors; ++k) {
    const int cell = k / kParts, part = k % kParts;
    const float* from =
        rows[cell / 4] + static_cast<std::ptrdiff_t>(columns[cell % 4]) * kOrientations;
    values[k] = hn::Mul(hn::LoadU(d, from + part * kBinLanes), hn::Set(d, rule.cell_weights[cell]));
    sum[k % 2] = hn::Add(sum[k % 2], values[k]);
    squares[k % 2] = hn::MulAdd(values[k], values[k], squares[k % 2]);
  }
  if (!(Total(sum) >= rule.min_sum)) {
    for (int k = 0; k < kVectors; ++k) hn::StoreU(zero, d, out + k * kBinLanes);
    return true;
  }
  const auto scale = hn::Set(d, 1.0f / std::sqrt(Total(squares)));
  const auto most = hn::Set(d, 0.2f);
  sum[0] = sum[1] = squares[0] = squares[1] = zero;
#pragma GCC unroll 16
  for (int k = 0; k < kVectors; ++k) {
    values[k] = hn::Min(hn::Mul(values[k], scale), most);
    sum[k % 2] = hn::Add(sum[k % 2], values[k]);
    squares[k % 2] = hn::MulAdd(values[k], values[k], squares[k % 2]);
  }
  if (rule.root) {
    const auto over = hn::Set(d, 1.0f / Total(sum));
#pragma GCC unroll 16
    for (int k = 0; k < kVectors; ++k) {
      hn::StoreU(hn::Sqrt(hn::Mul(values[k], over)), d, out + k * kBinLanes);
    }
    return false;
  }
  const auto again = hn::Set(d, 1.0f / std::sqrt(Total(squares)));
#pragma GCC unroll 16
  for (int k = 0; k < kVectors; ++k) {
    hn::StoreU(hn::Mul(values[k], again), d, out + k * kBinLanes);
  }
  return false;
}

void DescribeRowOf(const float* const* rows, const int* columns, int count,
                   const DescriptorRule& rule, float* out, bool* flat) {
  for (int p = 0; p < count; ++p) {
    flat[p] =
        Describe(rows, columns + 4 * p, rule, out + static_cast<std::ptrdiff_t>(p) * kDimension);
  }
}

}  // namespace alcedo::sift_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::sift_kernels {

HWY_EXPORT(OrientedRowOf);
HWY_EXPORT(HorizontalCellsOf);
HWY_EXPORT(VerticalCellsOf);
HWY_EXPORT(DescribeRowOf);

void OrientedRow(const float* above, const float* row, const float* below, float y_factor,
                 int width, int pad_left, int pad_right, float* scratch, float* out) {
  HWY_DYNAMIC_DISPATCH(OrientedRowOf)
  (above, row, below, y_factor, width, pad_left, pad_right, scratch, out);
}
void HorizontalCells(const float* histograms, const float* weights, int taps, const int* positions,
                     int count, float* out) {
  HWY_DYNAMIC_DISPATCH(HorizontalCellsOf)(histograms, weights, taps, positions, count, out);
}
void VerticalCells(const float* const* rows, const float* weights, int taps, int count,
                   float* out) {
  HWY_DYNAMIC_DISPATCH(VerticalCellsOf)(rows, weights, taps, count, out);
}
void DescribeRow(const float* const* rows, const int* columns, int count,
                 const DescriptorRule& rule, float* out, bool* flat) {
  HWY_DYNAMIC_DISPATCH(DescribeRowOf)(rows, columns, count, rule, out, flat);
}

}  // namespace alcedo::sift_kernels
#endif  // HWY_ONCE
