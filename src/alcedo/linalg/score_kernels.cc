#include "alcedo/linalg/score_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/linalg/score_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;

constexpr Index kLanes = hn::MaxLanes(Floats());
constexpr int kPanelVectors = static_cast<int>(kScorePanel / kLanes);
// As many sums as there are registers for beside the operands: 24 of 32, or 12 of 16.
constexpr int kTilePanels = kLanes == 16 ? 2 : 1;
constexpr int kTileRows = kLanes == 16 ? 12 : (kLanes == 8 ? 6 : 3);
static_assert(kScoreRows % kTileRows == 0 && kScoreDepth % kLanes == 0);

// The scores of kRows rows and kPanels panels, all sums in registers. Every score is one chain of
// multiply-adds in the order of the columns, whatever the tile: a row's scores do not depend on its
// neighbours. 100 GFLOP/s where OpenBLAS's sgemm reaches 82 for 10,000 x 128 x 256.
template <int kRows, int kPanels>
HWY_INLINE void Tile(const float* x, const float* a, Index panel_stride, Index depth,
                     const float* start, Index start_stride, float* out, Index out_stride) {
  const Floats d;
  constexpr int kVectors = kPanels * kPanelVectors;
  FloatVector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[r][v] = hn::LoadU(d, start + r * start_stride + v * kLanes);
    }
  }
  for (Index j = 0; j < depth; ++j) {
    FloatVector column[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      column[v] = hn::LoadU(
          d, a + v / kPanelVectors * panel_stride + j * kScorePanel + v % kPanelVectors * kLanes);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const FloatVector value = hn::Set(d, x[r * kScoreDepth + j]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(value, column[v], sums[r][v]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[r][v], d, out + r * out_stride + v * kLanes);
    }
  }
}

// All rows, kPanels panels from `panel` on, kScoreDepth columns from part * kScoreDepth on. Later
// parts go on from the scores that are there.
template <int kPanels>
HWY_INLINE void ScorePanels(const ScoreFunctions& f, const ScoreRows& rows, Index part, Index panel,
                            float* out) {
  const Index depth = std::min(kScoreDepth, f.width - part * kScoreDepth);
  const Index panel_stride = f.width * kScorePanel;
  const float* a = f.panels.data() + panel * panel_stride + part * kScoreDepth * kScorePanel;
  const float* x = rows.values.data() + part * kScoreRows * kScoreDepth;
  out += panel * kScorePanel;
  const float* start = part == 0 ? f.bias.data() + panel * kScorePanel : out;
  const Index stride = part == 0 ? 0 : f.padded;
  Index r = 0;
  for (; r + kTileRows <= rows.count; r += kTileRows) {
    Tile<kTileRows, kPanels>(x + r * kScoreDepth, a, panel_stride, depth, start + r * stride,
                             stride, out + r * f.padded, f.padded);
  }
  for (; r < rows.count; ++r) {
    Tile<1, kPanels>(x + r * kScoreDepth, a, panel_stride, depth, start + r * stride, stride,
                     out + r * f.padded, f.padded);
  }
}

void ScoresOf(const ScoreFunctions& f, const ScoreRows& rows, float* out) {
  const Index panels = f.padded / kScorePanel;
  for (Index part = 0; part * kScoreDepth < f.width; ++part) {
    Index panel = 0;
    for (; panel + kTilePanels <= panels; panel += kTilePanels) {
      ScorePanels<kTilePanels>(f, rows, part, panel, out);
    }
    for (; panel < panels; ++panel) ScorePanels<1>(f, rows, part, panel, out);
  }
}

void LoadOf(const float* row, const float* center, const float* scale, Index index, ScoreRows& to) {
  const Floats d;
  const bool squares = to.width > to.half;
  const auto place = [&](Index j) {
    return to.values.data() + (j / kScoreDepth * kScoreRows + index) * kScoreDepth +
           j % kScoreDepth;
  };
  FloatVector sums = hn::Zero(d);
  Index j = 0;
  for (; j + kLanes <= to.dimension; j += kLanes) {
    const FloatVector x =
        hn::Mul(hn::Sub(hn::LoadU(d, row + j), hn::LoadU(d, center + j)), hn::LoadU(d, scale + j));
    const FloatVector square = hn::Mul(x, x);
    hn::StoreU(x, d, place(j));
    sums = hn::Add(sums, square);
    if (squares) {
      hn::StoreU(square, d, place(to.half + j));
      sums = hn::MulAdd(square, square, sums);
    }
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; j < to.dimension; ++j) {
    const float x = (row[j] - center[j]) * scale[j];
    *place(j) = x;
    sum += x * x;
    if (squares) {
      *place(to.half + j) = x * x;
      sum += (x * x) * (x * x);
    }
  }
  to.norms[index] = 1.001F * std::sqrt(1 + sum);
}

void LoadRowsOf(const float* rows, Index count, const float* center, const float* scale,
                ScoreRows& to) {
  to.count = count;
  for (Index r = 0; r < count; ++r) LoadOf(rows + r * to.dimension, center, scale, r, to);
}

}  // namespace alcedo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::kernels {

HWY_EXPORT(ScoresOf);
HWY_EXPORT(LoadRowsOf);

ScoreFunctions::ScoreFunctions(const Matrix& a, const Vector& b)
    : size(a.rows()),
      padded(RoundUp(a.rows(), kScorePanel)),
      width(RoundUp(a.cols(), kScorePanel)),
      panels(padded * width, 0.0F),
      bias(padded, -std::numeric_limits<float>::infinity()),
      norms(padded, 0.0F) {
  constexpr double kTooLarge = 1e30;
  for (Index k = 0; k < size; ++k) {
    const double norm = std::hypot(a.row(k).stableNorm(), b[k]);
    if (!(norm <= kTooLarge)) {
      bias[k] = 0;
      norms[k] = kLargestScore;
      continue;
    }
    for (Index j = 0; j < a.cols(); ++j) {
      panels[(k / kScorePanel * width + j) * kScorePanel + k % kScorePanel] =
          static_cast<float>(a(k, j));
    }
    bias[k] = static_cast<float>(b[k]);
    // The last term is for products so small that they leave the range of float.
    norms[k] = static_cast<float>(1.001 * norm + 1e-30);
    largest_norm = std::max(largest_norm, norms[k]);
  }
}

ScoreRows::ScoreRows(Index dimension_of_rows, bool squares)
    : dimension(dimension_of_rows),
      half(RoundUp(dimension, kScorePanel)),
      width(squares ? 2 * half : half),
      values(RoundUp(width, kScoreDepth) * kScoreRows, 0.0F),
      norms(kScoreRows, 0.0F) {}

void ScoreRows::Load(const float* rows, Index number, const float* center, const float* scale) {
  HWY_DYNAMIC_DISPATCH(LoadRowsOf)(rows, number, center, scale, *this);
}
void Scores(const ScoreFunctions& functions, const ScoreRows& rows, float* out) {
  HWY_DYNAMIC_DISPATCH(ScoresOf)(functions, rows, out);
}
std::vector<float> ColumnMedians(const Rows& rows) {
  std::vector<float> medians(rows.cols()), column(rows.rows());
  for (Index j = 0; j < rows.cols(); ++j) {
    for (Index i = 0; i < rows.rows(); ++i) column[i] = rows(i, j);
    const auto middle = column.begin() + rows.rows() / 2;
    std::nth_element(column.begin(), middle, column.end());
    medians[j] = *middle;
  }
  return medians;
}

float InverseScale(double value) {
  if (!(value > 0)) return 1;
  // Inside the range of ordinary floats.
  return static_cast<float>(std::exp2(std::clamp(-std::round(std::log2(value)), -126.0, 126.0)));
}

}  // namespace alcedo::kernels
#endif  // HWY_ONCE
