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
using DoubleVector = hn::Vec<Doubles>;

// The arithmetic S of a kernel: vectors of S, loaded from rows of T (float or double) or from S
// itself.
template <class S>
using Tag = hn::ScalableTag<S>;
template <class S>
using VectorOf = hn::Vec<Tag<S>>;

template <class S>
HWY_INLINE VectorOf<S> Load(const S* from) {
  return hn::LoadU(Tag<S>(), from);
}
template <class S>
HWY_INLINE VectorOf<S> LoadRow(const float* from) {
  if constexpr (sizeof(S) == sizeof(float)) {
    return hn::LoadU(Tag<S>(), from);
  } else {
    // As many floats as there are lanes of double.
    return hn::PromoteTo(Tag<S>(), hn::LoadU(hn::Rebind<float, Tag<S>>(), from));
  }
}

template <class S>
HWY_INLINE VectorOf<S> LoadRow(const double* from) {
  static_assert(sizeof(S) == sizeof(double), "rows of double are never rounded");
  return hn::LoadU(Tag<S>(), from);
}

template <class S>
HWY_INLINE S Sum(VectorOf<S> v) {
  return hn::GetLane(hn::SumOfLanes(Tag<S>(), v));
}

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void StoreTwoSums(DoubleVector a, DoubleVector b, double* to) {
  to[0] = Sum<double>(a);
  to[1] = Sum<double>(b);
}
#else
// Adds the upper half of a vector to its lower half until two lanes are left.
template <class D>
HWY_INLINE void StoreTwoLanes(D d, hn::Vec<D> v, double* to) {
  if constexpr (hn::MaxLanes(D()) == 2) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    StoreTwoLanes(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), to);
  }
}

// to[0] and to[1] = the sums of a and of b: together they take half the shuffles that each alone
// would. For rows of a hundred values these sums are a quarter of the time.
HWY_INLINE void StoreTwoSums(DoubleVector a, DoubleVector b, double* to) {
  const Doubles d;
  StoreTwoLanes(d, hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)), to);
}
#endif

// to[k] = the sum of vectors[k].
template <int kCount>
HWY_INLINE void StoreSums(const VectorOf<double>* vectors, double* to) {
  int done = 0;
#pragma GCC unroll 4
  for (; done + 2 <= kCount; done += 2) StoreTwoSums(vectors[done], vectors[done + 1], to + done);
  if (done < kCount) to[done] = Sum<double>(vectors[done]);
}
template <int kCount>
HWY_INLINE void StoreSums(const VectorOf<float>* vectors, float* to) {
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) to[k] = Sum<float>(vectors[k]);
}

// Which of the next tile's rows are asked for while one loop runs over this tile's: [kBegin, kEnd).
// The tile itself is in cache by then, and memory would idle.
template <int kBegin, int kEnd, class T>
HWY_INLINE void Prefetch(const T* ahead, Index width) {
#pragma GCC unroll 8
  for (int r = kBegin; r < kEnd; ++r) __builtin_prefetch(ahead + r * width, 0, 2);
}

// dots[r] = row_r . p for kRows rows at once: p is loaded once for all of them, and as many
// independent sums hide the latency of the multiply-add.
template <int kRows, int kPrefetch = 0, class T, class S>
HWY_INLINE void DotsOfRows(const T* rows, Index width, const S* p, S* dots,
                           const T* ahead = nullptr) {
  const Index lanes = static_cast<Index>(hn::Lanes(Tag<S>()));
  VectorOf<S> sums[kRows];
  for (int r = 0; r < kRows; ++r) sums[r] = hn::Zero(Tag<S>());
  Index j = 0;
  for (; j + 2 * lanes <= width; j += 2 * lanes) {
    if constexpr (kPrefetch > 0) Prefetch<0, kPrefetch>(ahead + j, width);
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const Index at = j + half * lanes;
      const VectorOf<S> q = Load(p + at);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        sums[r] = hn::MulAdd(LoadRow<S>(rows + r * width + at), q, sums[r]);
      }
    }
  }
  StoreSums<kRows>(sums, dots);
  if (j == width) return;
  for (int r = 0; r < kRows; ++r) {
    for (Index k = j; k < width; ++k) dots[r] += static_cast<S>(rows[r * width + k]) * p[k];
  }
}

// y += sum_r weights[r] row_r, with one load and one store of y for kRows rows.
template <int kRows, int kPrefetch = kRows, class T, class S>
HWY_INLINE void AddRows(const T* rows, Index width, const S* weights, S* y,
                        const T* ahead = nullptr) {
  const Tag<S> d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  VectorOf<S> w[kRows];
  for (int r = 0; r < kRows; ++r) w[r] = hn::Set(d, weights[r]);
  Index j = 0;
  for (; j + 2 * lanes <= width; j += 2 * lanes) {
    if constexpr (kPrefetch < kRows) Prefetch<kPrefetch, kRows>(ahead + j, width);
    VectorOf<S> a = Load(y + j);
    VectorOf<S> b = Load(y + j + lanes);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      a = hn::MulAdd(LoadRow<S>(rows + r * width + j), w[r], a);
      b = hn::MulAdd(LoadRow<S>(rows + r * width + j + lanes), w[r], b);
    }
    hn::StoreU(a, d, y + j);
    hn::StoreU(b, d, y + j + lanes);
  }
  for (; j < width; ++j) {
    for (int r = 0; r < kRows; ++r) y[j] += weights[r] * static_cast<S>(rows[r * width + j]);
  }
}

template <int kRows, class T, class S>
HWY_INLINE void FusedRows(const T* rows, Index width, const S* p, S* dots, S* y) {
  DotsOfRows<kRows>(rows, width, p, dots);
  AddRows<kRows>(rows, width, dots, y);
}

template <class T, class S>
HWY_INLINE void AddGramProductOf(const T* rows, Index count, Index width, const S* p, S* dots,
                                 S* y) {
  Index i = 0;
  // Wide rows come from memory and gain from prefetching, half of it in each loop; narrow ones are
  // in cache, and the instructions would only be in the way.
  if (width >= 512) {
    for (; i + 16 <= count; i += 8) {
      const T* tile = rows + i * width;
      DotsOfRows<8, 4>(tile, width, p, dots + i, tile + 8 * width);
      AddRows<8, 4>(tile, width, dots + i, y, tile + 8 * width);
    }
  }
  for (; i + 8 <= count; i += 8) FusedRows<8>(rows + i * width, width, p, dots + i, y);
  for (; i + 4 <= count; i += 4) FusedRows<4>(rows + i * width, width, p, dots + i, y);
  for (; i < count; ++i) FusedRows<1>(rows + i * width, width, p, dots + i, y);
}

template <class T, class S>
HWY_INLINE void DotsOf(const T* rows, Index count, Index width, const S* p, S* dots) {
  Index i = 0;
  for (; i + 8 <= count; i += 8) DotsOfRows<8>(rows + i * width, width, p, dots + i);
  for (; i + 4 <= count; i += 4) DotsOfRows<4>(rows + i * width, width, p, dots + i);
  for (; i < count; ++i) DotsOfRows<1>(rows + i * width, width, p, dots + i);
}

template <class T, class S>
HWY_INLINE void AddWeightedRowsOf(const T* rows, Index count, Index width, const S* weights, S* y) {
  Index i = 0;
  if (width >= 512) {  // from memory, as above; here one loop has to ask for all of the next tile
    for (; i + 16 <= count; i += 8) {
      const T* tile = rows + i * width;
      AddRows<8, 0>(tile, width, weights + i, y, tile + 8 * width);
    }
  }
  for (; i + 8 <= count; i += 8) AddRows<8>(rows + i * width, width, weights + i, y);
  for (; i + 4 <= count; i += 4) AddRows<4>(rows + i * width, width, weights + i, y);
  for (; i < count; ++i) AddRows<1>(rows + i * width, width, weights + i, y);
}

// One function per arithmetic, since only functions can be dispatched.
void AddGramProductDouble(const float* rows, Index count, Index width, const double* p,
                          double* dots, double* y) {
  AddGramProductOf(rows, count, width, p, dots, y);
}
void AddGramProductFloat(const float* rows, Index count, Index width, const float* p, float* dots,
                         float* y) {
  AddGramProductOf(rows, count, width, p, dots, y);
}
void DotsDouble(const float* rows, Index count, Index width, const double* p, double* dots) {
  DotsOf(rows, count, width, p, dots);
}
void DotsFloat(const float* rows, Index count, Index width, const float* p, float* dots) {
  DotsOf(rows, count, width, p, dots);
}
void AddWeightedRowsDouble(const float* rows, Index count, Index width, const double* weights,
                           double* y) {
  AddWeightedRowsOf(rows, count, width, weights, y);
}
void AddWeightedRowsFloat(const float* rows, Index count, Index width, const float* weights,
                          float* y) {
  AddWeightedRowsOf(rows, count, width, weights, y);
}

// The same for rows of double.
void AddGramProductDoubles(const double* rows, Index count, Index width, const double* p,
                           double* dots, double* y) {
  AddGramProductOf(rows, count, width, p, dots, y);
}
void DotsDoubles(const double* rows, Index count, Index width, const double* p, double* dots) {
  DotsOf(rows, count, width, p, dots);
}
void AddWeightedRowsDoubles(const double* rows, Index count, Index width, const double* weights,
                            double* y) {
  AddWeightedRowsOf(rows, count, width, weights, y);
}

template <class T>
HWY_INLINE double DotOfSparseRow(const SparseRowsOf<T>& rows, Index i, const double* p) {
  double sum = 0;
  for (Index e = rows.Begin(i); e < rows.Begin(i + 1); ++e) {
    double dot;
    DotsOfRows<1>(rows.values + e * rows.width, rows.width, p + rows.Block(e) * rows.width, &dot);
    sum += dot;
  }
  return sum;
}

template <class T>
HWY_INLINE void AddSparseRow(const SparseRowsOf<T>& rows, Index i, double weight, double* y) {
  for (Index e = rows.Begin(i); e < rows.Begin(i + 1); ++e) {
    AddRows<1>(rows.values + e * rows.width, rows.width, &weight, y + rows.Block(e) * rows.width);
  }
}

template <class T>
HWY_INLINE void AddGramProductOf(const SparseRowsOf<T>& rows, const double* p, double* dots,
                                 double* y) {
  for (Index i = 0; i < rows.count; ++i) {
    dots[i] = DotOfSparseRow(rows, i, p);
    AddSparseRow(rows, i, dots[i], y);
  }
}

template <class T>
HWY_INLINE void DotsOf(const SparseRowsOf<T>& rows, const double* p, double* dots) {
  for (Index i = 0; i < rows.count; ++i) dots[i] = DotOfSparseRow(rows, i, p);
}

template <class T>
HWY_INLINE void AddWeightedRowsOf(const SparseRowsOf<T>& rows, const double* weights, double* y) {
  for (Index i = 0; i < rows.count; ++i) AddSparseRow(rows, i, weights[i], y);
}

void AddGramProductSparse(const SparseRows& rows, const double* p, double* dots, double* y) {
  AddGramProductOf(rows, p, dots, y);
}
void DotsSparse(const SparseRows& rows, const double* p, double* dots) { DotsOf(rows, p, dots); }
void AddWeightedRowsSparse(const SparseRows& rows, const double* weights, double* y) {
  AddWeightedRowsOf(rows, weights, y);
}
void AddGramProductSparseDoubles(const SparseRowsOf<double>& rows, const double* p, double* dots,
                                 double* y) {
  AddGramProductOf(rows, p, dots, y);
}
void DotsSparseDoubles(const SparseRowsOf<double>& rows, const double* p, double* dots) {
  DotsOf(rows, p, dots);
}
void AddWeightedRowsSparseDoubles(const SparseRowsOf<double>& rows, const double* weights,
                                  double* y) {
  AddWeightedRowsOf(rows, weights, y);
}

// The dot products of kLeft rows with kRight rows, all sums in registers.
template <int kLeft, int kRight>
HWY_INLINE void DotTile(const double* left, const double* right, Index width, Index stride,
                        double* out) {
  const Doubles d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  DoubleVector sums[kLeft * kRight];
  for (int k = 0; k < kLeft * kRight; ++k) sums[k] = hn::Zero(d);
  Index j = 0;
  for (; j + lanes <= width; j += lanes) {
    DoubleVector b[kRight];
#pragma GCC unroll 8
    for (int c = 0; c < kRight; ++c) b[c] = hn::LoadU(d, right + c * width + j);
#pragma GCC unroll 8
    for (int r = 0; r < kLeft; ++r) {
      const DoubleVector a = hn::LoadU(d, left + r * width + j);
#pragma GCC unroll 8
      for (int c = 0; c < kRight; ++c)
        sums[r * kRight + c] = hn::MulAdd(a, b[c], sums[r * kRight + c]);
    }
  }
  for (int r = 0; r < kLeft; ++r) {
    double* to = out + r * stride;
    StoreSums<kRight>(sums + r * kRight, to);
    for (int c = 0; c < kRight; ++c) {
      for (Index k = j; k < width; ++k) to[c] += left[r * width + k] * right[c * width + k];
    }
  }
}

void SmallKernelMatrixOf(const double* rows, Index count, Index width, double* kernel) {
  constexpr Index kTile = 4;
  const Index whole = count - count % kTile;
  for (Index i = 0; i < whole; i += kTile) {
    for (Index j = 0; j <= i; j += kTile) {
      DotTile<kTile, kTile>(rows + i * width, rows + j * width, width, count,
                            kernel + i * count + j);
    }
  }
  for (Index i = whole; i < count; ++i) {
    Index j = 0;
    for (; j + kTile <= i + 1; j += kTile) {
      DotTile<1, kTile>(rows + i * width, rows + j * width, width, count, kernel + i * count + j);
    }
    for (; j <= i; ++j) {
      DotTile<1, 1>(rows + i * width, rows + j * width, width, count, kernel + i * count + j);
    }
  }
  for (Index i = 0; i < count; ++i) {
    for (Index j = i + 1; j < count; ++j) kernel[i * count + j] = kernel[j * count + i];
  }
}

Curvature FloatCurvatureOf(Index n, const float* p, const float* q) {
  const Tag<float> d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  VectorOf<float> pp = hn::Zero(d), pq = hn::Zero(d);
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const VectorOf<float> v = Load(p + i);
    pp = hn::MulAdd(v, v, pp);
    pq = hn::MulAdd(v, Load(q + i), pq);
  }
  Curvature result{Sum<float>(pp), Sum<float>(pq)};
  for (; i < n; ++i) {
    result.pp += p[i] * p[i];
    result.pq += p[i] * q[i];
  }
  return result;
}

float FloatStepOf(Index n, float step, float shift, const float* p, const float* q, float* x,
                  float* r) {
  const Tag<float> d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const VectorOf<float> forward = hn::Set(d, step), back = hn::Set(d, -step), s = hn::Set(d, shift);
  VectorOf<float> sum = hn::Zero(d);
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const VectorOf<float> v = Load(p + i);
    hn::StoreU(hn::MulAdd(forward, v, Load(x + i)), d, x + i);
    const VectorOf<float> rest = hn::MulAdd(back, hn::MulAdd(s, v, Load(q + i)), Load(r + i));
    hn::StoreU(rest, d, r + i);
    sum = hn::MulAdd(rest, rest, sum);
  }
  float rr = Sum<float>(sum);
  for (; i < n; ++i) {
    x[i] += step * p[i];
    r[i] -= step * (q[i] + shift * p[i]);
    rr += r[i] * r[i];
  }
  return rr;
}

void FloatDirectionOf(Index n, float beta, const float* r, float* p) {
  const Tag<float> d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const VectorOf<float> b = hn::Set(d, beta);
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::MulAdd(b, Load(p + i), Load(r + i)), d, p + i);
  }
  for (; i < n; ++i) p[i] = r[i] + beta * p[i];
}

template <class T>
HWY_INLINE double SumOfSquares(const T* values, Index count) {
  const Doubles d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  DoubleVector sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  Index i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const DoubleVector v = LoadRow<double>(values + i + k * lanes);
      sums[k] = hn::MulAdd(v, v, sums[k]);
    }
  }
  double sum = Sum<double>(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])));
  for (; i < count; ++i) sum += static_cast<double>(values[i]) * values[i];
  return sum;
}
double SquaredNormOf(const float* values, Index count) { return SumOfSquares(values, count); }
double SquaredNormOfDoubles(const double* values, Index count) {
  return SumOfSquares(values, count);
}

}  // namespace alcedo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::kernels {

HWY_EXPORT(AddGramProductFloat);
HWY_EXPORT(AddGramProductDouble);
HWY_EXPORT(DotsFloat);
HWY_EXPORT(DotsDouble);
HWY_EXPORT(AddWeightedRowsFloat);
HWY_EXPORT(AddWeightedRowsDouble);
HWY_EXPORT(AddGramProductSparse);
HWY_EXPORT(DotsSparse);
HWY_EXPORT(AddWeightedRowsSparse);
HWY_EXPORT(AddGramProductDoubles);
HWY_EXPORT(DotsDoubles);
HWY_EXPORT(AddWeightedRowsDoubles);
HWY_EXPORT(AddGramProductSparseDoubles);
HWY_EXPORT(DotsSparseDoubles);
HWY_EXPORT(AddWeightedRowsSparseDoubles);
HWY_EXPORT(SquaredNormOfDoubles);
HWY_EXPORT(SmallKernelMatrixOf);
HWY_EXPORT(FloatCurvatureOf);
HWY_EXPORT(FloatStepOf);
HWY_EXPORT(FloatDirectionOf);
HWY_EXPORT(SquaredNormOf);

void AddGramProduct(const float* rows, Index count, Index width, const double* p, double* dots,
                    double* y) {
  HWY_DYNAMIC_DISPATCH(AddGramProductDouble)(rows, count, width, p, dots, y);
}
void Dots(const float* rows, Index count, Index width, const double* p, double* dots) {
  HWY_DYNAMIC_DISPATCH(DotsDouble)(rows, count, width, p, dots);
}
void AddWeightedRows(const float* rows, Index count, Index width, const double* weights,
                     double* y) {
  HWY_DYNAMIC_DISPATCH(AddWeightedRowsDouble)(rows, count, width, weights, y);
}
void AddGramProduct(const float* rows, Index count, Index width, const float* p, float* dots,
                    float* y) {
  HWY_DYNAMIC_DISPATCH(AddGramProductFloat)(rows, count, width, p, dots, y);
}
void Dots(const float* rows, Index count, Index width, const float* p, float* dots) {
  HWY_DYNAMIC_DISPATCH(DotsFloat)(rows, count, width, p, dots);
}
void AddWeightedRows(const float* rows, Index count, Index width, const float* weights, float* y) {
  HWY_DYNAMIC_DISPATCH(AddWeightedRowsFloat)(rows, count, width, weights, y);
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
void AddGramProduct(const double* rows, Index count, Index width, const double* p, double* dots,
                    double* y) {
  HWY_DYNAMIC_DISPATCH(AddGramProductDoubles)(rows, count, width, p, dots, y);
}
void Dots(const double* rows, Index count, Index width, const double* p, double* dots) {
  HWY_DYNAMIC_DISPATCH(DotsDoubles)(rows, count, width, p, dots);
}
void AddWeightedRows(const double* rows, Index count, Index width, const double* weights,
                     double* y) {
  HWY_DYNAMIC_DISPATCH(AddWeightedRowsDoubles)(rows, count, width, weights, y);
}
void AddGramProduct(const SparseRowsOf<double>& rows, const double* p, double* dots, double* y) {
  HWY_DYNAMIC_DISPATCH(AddGramProductSparseDoubles)(rows, p, dots, y);
}
void Dots(const SparseRowsOf<double>& rows, const double* p, double* dots) {
  HWY_DYNAMIC_DISPATCH(DotsSparseDoubles)(rows, p, dots);
}
void AddWeightedRows(const SparseRowsOf<double>& rows, const double* weights, double* y) {
  HWY_DYNAMIC_DISPATCH(AddWeightedRowsSparseDoubles)(rows, weights, y);
}
double SquaredNorm(const double* values, Index count) {
  return HWY_DYNAMIC_DISPATCH(SquaredNormOfDoubles)(values, count);
}
void SmallKernelMatrix(const double* rows, Index count, Index width, double* kernel) {
  HWY_DYNAMIC_DISPATCH(SmallKernelMatrixOf)(rows, count, width, kernel);
}
Curvature FloatCurvature(Index n, const float* p, const float* q) {
  return HWY_DYNAMIC_DISPATCH(FloatCurvatureOf)(n, p, q);
}
float FloatStep(Index n, float step, float shift, const float* p, const float* q, float* x,
                float* r) {
  return HWY_DYNAMIC_DISPATCH(FloatStepOf)(n, step, shift, p, q, x, r);
}
void FloatDirection(Index n, float beta, const float* r, float* p) {
  HWY_DYNAMIC_DISPATCH(FloatDirectionOf)(n, beta, r, p);
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
