#include "alcedo/linalg/kernels.h"

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/linalg/kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Floats = hn::Rebind<float, Doubles>;  // as many floats as there are lanes of double
using DoubleVector = hn::Vec<Doubles>;

HWY_INLINE DoubleVector LoadAsDouble(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(Floats(), from));
}

HWY_INLINE double Sum(DoubleVector v) { return hn::GetLane(hn::SumOfLanes(Doubles(), v)); }

// dots[r] = row_r . p for kRows rows at once: p is loaded once for all of them, and as many
// independent sums hide the latency of the multiply-add.
template <int kRows>
HWY_INLINE void DotsOfRows(const float* rows, Index width, const double* p, double* dots) {
  const Doubles d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  DoubleVector sums[kRows];
  for (int r = 0; r < kRows; ++r) sums[r] = hn::Zero(d);
  Index j = 0;
  for (; j + lanes <= width; j += lanes) {
    const DoubleVector q = hn::LoadU(d, p + j);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      sums[r] = hn::MulAdd(LoadAsDouble(rows + r * width + j), q, sums[r]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    dots[r] = Sum(sums[r]);
    for (Index k = j; k < width; ++k) dots[r] += static_cast<double>(rows[r * width + k]) * p[k];
  }
}

// y += sum_r weights[r] row_r, with one load and one store of y for kRows rows. The rows at `ahead`
// are asked for meanwhile: these are in cache already, and memory would idle.
template <int kRows, bool kPrefetch>
HWY_INLINE void AddRows(const float* rows, Index width, const double* weights, double* y,
                        const float* ahead) {
  const Doubles d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  DoubleVector w[kRows];
  for (int r = 0; r < kRows; ++r) w[r] = hn::Set(d, weights[r]);
  Index j = 0;
  for (; j + 2 * lanes <= width; j += 2 * lanes) {
    if constexpr (kPrefetch) {
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) __builtin_prefetch(ahead + r * width + j, 0, 2);
    }
    DoubleVector a = hn::LoadU(d, y + j);
    DoubleVector b = hn::LoadU(d, y + j + lanes);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      a = hn::MulAdd(LoadAsDouble(rows + r * width + j), w[r], a);
      b = hn::MulAdd(LoadAsDouble(rows + r * width + j + lanes), w[r], b);
    }
    hn::StoreU(a, d, y + j);
    hn::StoreU(b, d, y + j + lanes);
  }
  for (; j < width; ++j) {
    for (int r = 0; r < kRows; ++r) y[j] += weights[r] * static_cast<double>(rows[r * width + j]);
  }
}

template <int kRows, bool kPrefetch>
HWY_INLINE void FusedRows(const float* rows, Index width, const double* p, double* dots, double* y,
                          const float* ahead) {
  DotsOfRows<kRows>(rows, width, p, dots);
  AddRows<kRows, kPrefetch>(rows, width, dots, y, ahead);
}

void AddGramProductDense(const float* rows, Index count, Index width, const double* p, double* dots,
                         double* y) {
  Index i = 0;
  // Wide rows come from memory and gain from prefetching; narrow ones are in cache, and the
  // instructions would only be in the way.
  if (width >= 512) {
    for (; i + 16 <= count; i += 8) {
      const float* tile = rows + i * width;
      FusedRows<8, true>(tile, width, p, dots + i, y, tile + 8 * width);
    }
  }
  for (; i + 8 <= count; i += 8) FusedRows<8, false>(rows + i * width, width, p, dots + i, y, rows);
  for (; i + 4 <= count; i += 4) FusedRows<4, false>(rows + i * width, width, p, dots + i, y, rows);
  for (; i < count; ++i) FusedRows<1, false>(rows + i * width, width, p, dots + i, y, rows);
}

void DotsDense(const float* rows, Index count, Index width, const double* p, double* dots) {
  Index i = 0;
  for (; i + 8 <= count; i += 8) DotsOfRows<8>(rows + i * width, width, p, dots + i);
  for (; i + 4 <= count; i += 4) DotsOfRows<4>(rows + i * width, width, p, dots + i);
  for (; i < count; ++i) DotsOfRows<1>(rows + i * width, width, p, dots + i);
}

void AddWeightedRowsDense(const float* rows, Index count, Index width, const double* weights,
                          double* y) {
  Index i = 0;
  for (; i + 8 <= count; i += 8) AddRows<8, false>(rows + i * width, width, weights + i, y, rows);
  for (; i + 4 <= count; i += 4) AddRows<4, false>(rows + i * width, width, weights + i, y, rows);
  for (; i < count; ++i) AddRows<1, false>(rows + i * width, width, weights + i, y, rows);
}

HWY_INLINE double DotOfSparseRow(const SparseRows& rows, Index i, const double* p) {
  double sum = 0;
  for (Index e = rows.Begin(i); e < rows.Begin(i + 1); ++e) {
    double dot;
    DotsOfRows<1>(rows.values + e * rows.width, rows.width, p + rows.blocks[e] * rows.width, &dot);
    sum += dot;
  }
  return sum;
}

HWY_INLINE void AddSparseRow(const SparseRows& rows, Index i, double weight, double* y) {
  for (Index e = rows.Begin(i); e < rows.Begin(i + 1); ++e) {
    AddRows<1, false>(rows.values + e * rows.width, rows.width, &weight,
                      y + rows.blocks[e] * rows.width, rows.values);
  }
}

void AddGramProductSparse(const SparseRows& rows, const double* p, double* dots, double* y) {
  for (Index i = 0; i < rows.count; ++i) {
    dots[i] = DotOfSparseRow(rows, i, p);
    AddSparseRow(rows, i, dots[i], y);
  }
}

void DotsSparse(const SparseRows& rows, const double* p, double* dots) {
  for (Index i = 0; i < rows.count; ++i) dots[i] = DotOfSparseRow(rows, i, p);
}

void AddWeightedRowsSparse(const SparseRows& rows, const double* weights, double* y) {
  for (Index i = 0; i < rows.count; ++i) AddSparseRow(rows, i, weights[i], y);
}

double SquaredNormOf(const float* values, Index count) {
  const Doubles d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  DoubleVector sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  Index i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const DoubleVector v = LoadAsDouble(values + i + k * lanes);
      sums[k] = hn::MulAdd(v, v, sums[k]);
    }
  }
  double sum = Sum(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])));
  for (; i < count; ++i) sum += static_cast<double>(values[i]) * values[i];
  return sum;
}

}  // namespace alcedo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::kernels {

HWY_EXPORT(AddGramProductDense);
HWY_EXPORT(DotsDense);
HWY_EXPORT(AddWeightedRowsDense);
HWY_EXPORT(AddGramProductSparse);
HWY_EXPORT(DotsSparse);
HWY_EXPORT(AddWeightedRowsSparse);
HWY_EXPORT(SquaredNormOf);

void AddGramProduct(const float* rows, Index count, Index width, const double* p, double* dots,
                    double* y) {
  HWY_DYNAMIC_DISPATCH(AddGramProductDense)(rows, count, width, p, dots, y);
}
void Dots(const float* rows, Index count, Index width, const double* p, double* dots) {
  HWY_DYNAMIC_DISPATCH(DotsDense)(rows, count, width, p, dots);
}
void AddWeightedRows(const float* rows, Index count, Index width, const double* weights,
                     double* y) {
  HWY_DYNAMIC_DISPATCH(AddWeightedRowsDense)(rows, count, width, weights, y);
}
void AddGramProduct(const SparseRows& rows, const double* p, double* dots, double* y) {
  HWY_DYNAMIC_DISPATCH(AddGramProductSparse)(rows, p, dots, y);
}
void Dots(const SparseRows& rows, const double* p, double* dots) {
  HWY_DYNAMIC_DISPATCH(DotsSparse)(rows, p, dots);
}
void AddWeightedRows(const SparseRows& rows, const double* weights, double* y) {
  HWY_DYNAMIC_DISPATCH(AddWeightedRowsSparse)(rows, weights, y);
}
double SquaredNorm(const float* values, Index count) {
  return HWY_DYNAMIC_DISPATCH(SquaredNormOf)(values, count);
}

std::string InstructionSet() {
  const auto targets = hwy::SupportedTargets() & ~HWY_DISABLED_TARGETS;
  return hwy::TargetName(targets & -targets);  // the lowest bit is the best one
}

}  // namespace alcedo::kernels
#endif  // HWY_ONCE
