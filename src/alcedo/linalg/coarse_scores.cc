#include "alcedo/linalg/coarse_scores.h"

#include <algorithm>
#include <cstring>

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/linalg/coarse_scores.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#ifndef ALCEDO_LINALG_COARSE_DEPTH
#define ALCEDO_LINALG_COARSE_DEPTH
namespace alcedo::kernels {
constexpr Index kCoarseDepth = 256;  // values of a row that lie side by side
}  // namespace alcedo::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace alcedo::kernels::HWY_NAMESPACE {

// Only x86's instruction is known to add the products of neighbours.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Ints = hn::ScalableTag<std::int32_t>;
using Shorts = hn::ScalableTag<std::int16_t>;
using FloatVector = hn::Vec<Floats>;
using IntVector = hn::Vec<Ints>;

constexpr Index kLanes = hn::MaxLanes(Floats());
constexpr int kPanelVectors = static_cast<int>(kScorePanel / kLanes);
constexpr int kTilePanels = kLanes == 16 ? 2 : 1;
constexpr int kTileRows = kLanes == 16 ? 12 : (kLanes == 8 ? 6 : 3);

// What a tile of sums starts from and becomes.
struct Stage {
  bool first, last;    // part of the columns
  const float* bias;   // of the first function
  const float* steps;  // of the first function
  const float* row_steps;
};

// Neighbouring columns are multiplied and added in pairs by one instruction, which is where the
// factor of two comes from. Sums of earlier parts are kept in `out`, as integers.
template <int kRows, int kPanels>
HWY_INLINE void Tile(const std::int16_t* x, const std::int16_t* a, Index panel_stride, Index pairs,
                     const Stage& stage, float* out, Index out_stride) {
  const Floats df;
  const Ints di;
  const Shorts ds;
  constexpr int kVectors = kPanels * kPanelVectors;
  IntVector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[r][v] = stage.first ? hn::Zero(di)
                               : hn::BitCast(di, hn::LoadU(df, out + r * out_stride + v * kLanes));
    }
  }
  for (Index j = 0; j < pairs; ++j) {
    hn::Vec<Shorts> column[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      column[v] = hn::LoadU(ds, a + v / kPanelVectors * panel_stride + j * 2 * kScorePanel +
                                    v % kPanelVectors * 2 * kLanes);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      std::int32_t pair;
      std::memcpy(&pair, x + r * kCoarseDepth + 2 * j, sizeof(pair));
      const auto value = hn::BitCast(ds, hn::Set(di, pair));
      IntVector unused = hn::Zero(di);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] = hn::ReorderWidenMulAccumulate(di, value, column[v], sums[r][v], unused);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const FloatVector row_step = hn::Set(df, stage.row_steps[r]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      FloatVector result = hn::BitCast(df, sums[r][v]);
      if (stage.last) {
        const FloatVector step = hn::Mul(row_step, hn::LoadU(df, stage.steps + v * kLanes));
        result =
            hn::MulAdd(hn::ConvertTo(df, sums[r][v]), step, hn::LoadU(df, stage.bias + v * kLanes));
      }
      hn::StoreU(result, df, out + r * out_stride + v * kLanes);
    }
  }
}

template <int kPanels>
HWY_INLINE void ScorePanels(const ScoreFunctions& f, const CoarseFunctions& coarse,
                            const CoarseRows& rows, Index count, Index part, Index panel,
                            float* out) {
  const Index depth = std::min(kCoarseDepth, f.width - part * kCoarseDepth);
  const Index stride = f.width * kScorePanel;
  const std::int16_t* a = coarse.panels.data() + panel * stride + part * kCoarseDepth * kScorePanel;
  const std::int16_t* x = rows.values.data() + part * kScoreRows * kCoarseDepth;
  out += panel * kScorePanel;
  Stage stage{part == 0, (part + 1) * kCoarseDepth >= f.width, f.bias.data() + panel * kScorePanel,
              coarse.steps.data() + panel * kScorePanel, rows.steps.data()};
  Index r = 0;
  for (; r + kTileRows <= count; r += kTileRows) {
    stage.row_steps = rows.steps.data() + r;
    Tile<kTileRows, kPanels>(x + r * kCoarseDepth, a, stride, depth / 2, stage, out + r * f.padded,
                             f.padded);
  }
  for (; r < count; ++r) {
    stage.row_steps = rows.steps.data() + r;
    Tile<1, kPanels>(x + r * kCoarseDepth, a, stride, depth / 2, stage, out + r * f.padded,
                     f.padded);
  }
}

void Quantize(const ScoreRows& rows, CoarseRows& to) {
  const Floats d;
  const hn::Rebind<std::int16_t, Floats> ds;
  for (Index r = 0; r < rows.count; ++r) {
    to.steps[r] = rows.norms[r] / kCoarseSteps;
    const FloatVector factor = hn::Set(d, 1 / to.steps[r]);
    for (Index j = 0; j < rows.width; j += kLanes) {
      const float* from =
          rows.values.data() + (j / kScoreDepth * kScoreRows + r) * kScoreDepth + j % kScoreDepth;
      std::int16_t* place =
          to.values.data() + (j / kCoarseDepth * kScoreRows + r) * kCoarseDepth + j % kCoarseDepth;
      const IntVector rounded = hn::NearestInt(hn::Mul(hn::LoadU(d, from), factor));
      hn::StoreU(hn::DemoteTo(ds, rounded), ds, place);
    }
  }
}

void CoarseScoresOf(const ScoreFunctions& f, const CoarseFunctions& coarse, const ScoreRows& rows,
                    CoarseRows& work, float* out) {
  Quantize(rows, work);
  const Index panels = f.padded / kScorePanel;
  for (Index part = 0; part * kCoarseDepth < f.width; ++part) {
    Index panel = 0;
    for (; panel + kTilePanels <= panels; panel += kTilePanels) {
      ScorePanels<kTilePanels>(f, coarse, work, rows.count, part, panel, out);
    }
    for (; panel < panels; ++panel) {
      ScorePanels<1>(f, coarse, work, rows.count, part, panel, out);
    }
  }
}

#else

// More exact than promised.
void CoarseScoresOf(const ScoreFunctions& f, const CoarseFunctions&, const ScoreRows& rows,
                    CoarseRows&, float* out) {
  Scores(f, rows, out);
}

#endif

}  // namespace alcedo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::kernels {

HWY_EXPORT(CoarseScoresOf);

CoarseFunctions::CoarseFunctions(const ScoreFunctions& f)
    : panels(f.panels.size(), 0), steps(f.padded, 0.0F) {
  for (Index k = 0; k < f.size; ++k) {
    const auto place = [&](Index j) {
      return (k / kScorePanel * f.width + j) * kScorePanel + k % kScorePanel;
    };
    double squares = 0;
    for (Index j = 0; j < f.width; ++j) {
      squares += static_cast<double>(f.panels[place(j)]) * f.panels[place(j)];
    }
    if (squares == 0) continue;
    const double step = std::sqrt(squares) / kCoarseSteps;
    steps[k] = static_cast<float>(step);
    for (Index j = 0; j < f.width; ++j) {
      const Index pair = (k / kScorePanel * f.width + j / 2 * 2) * kScorePanel;
      panels[pair + k % kScorePanel * 2 + j % 2] =
          static_cast<std::int16_t>(std::lround(f.panels[place(j)] / step));
    }
  }
}

CoarseRows::CoarseRows(Index width)
    : values(RoundUp(width, kCoarseDepth) * kScoreRows, 0), steps(kScoreRows, 0.0F) {}

void CoarseScores(const ScoreFunctions& functions, const CoarseFunctions& coarse,
                  const ScoreRows& rows, CoarseRows& work, float* out) {
  HWY_DYNAMIC_DISPATCH(CoarseScoresOf)(functions, coarse, rows, work, out);
}

}  // namespace alcedo::kernels
#endif  // HWY_ONCE
