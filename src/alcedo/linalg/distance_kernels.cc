#include "alcedo/linalg/distance_kernels.h"

#include <algorithm>

// Arrays of vectors need types of known size, which SVE's are not: such machines use NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/linalg/distance_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;
using Doubles = hn::ScalableTag<double>;
using DoubleVector = hn::Vec<Doubles>;

constexpr Index kLanes = hn::MaxLanes(Floats());
constexpr Index kDoubleLanes = hn::MaxLanes(Doubles());

HWY_INLINE DoubleVector LoadAsDouble(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}
HWY_INLINE double Sum(DoubleVector v) { return hn::GetLane(hn::SumOfLanes(Doubles(), v)); }

// sum_j (x_j - c_j)^2 [f_j]
template <bool kScaled>
HWY_INLINE double Distance(const float* x, const float* c, const double* f, Index width) {
  const Doubles d;
  DoubleVector a = hn::Zero(d), b = hn::Zero(d);
  const auto add = [&](Index j, DoubleVector sum) {
    const DoubleVector t = hn::Sub(LoadAsDouble(x + j), LoadAsDouble(c + j));
    if constexpr (kScaled) return hn::MulAdd(hn::Mul(t, hn::LoadU(d, f + j)), t, sum);
    return hn::MulAdd(t, t, sum);
  };
  Index j = 0;
  for (; j + 2 * kDoubleLanes <= width; j += 2 * kDoubleLanes) {
    a = add(j, a);
    b = add(j + kDoubleLanes, b);
  }
  double sum = Sum(hn::Add(a, b));
  for (; j < width; ++j) {
    const double t = static_cast<double>(x[j]) - static_cast<double>(c[j]);
    sum += kScaled ? t * f[j] * t : t * t;
  }
  return sum;
}

void SquaredDistancesOf(const float* x, const float* centers, Index width,
                        const std::int32_t* which, Index count, double* out) {
  for (Index i = 0; i < count; ++i) {
    out[i] = Distance<false>(x, centers + which[i] * width, nullptr, width);
  }
}

void ScaledSquaredDistancesOf(const float* x, const float* centers, const double* factors,
                              Index width, const std::int32_t* which, Index count, double* out) {
  for (Index i = 0; i < count; ++i) {
    const Index at = which[i] * width;
    out[i] = Distance<true>(x, centers + at, factors + at, width);
  }
}

void LowerDistancesOf(const float* rows, Index count, Index width, const float* x,
                      float* distances) {
  const Floats d;
  for (Index i = 0; i < count; ++i) {
    const float* row = rows + i * width;
    FloatVector a = hn::Zero(d), b = hn::Zero(d);
    Index j = 0;
    for (; j + 2 * kLanes <= width; j += 2 * kLanes) {
      const FloatVector s = hn::Sub(hn::LoadU(d, row + j), hn::LoadU(d, x + j));
      const FloatVector t = hn::Sub(hn::LoadU(d, row + j + kLanes), hn::LoadU(d, x + j + kLanes));
      a = hn::MulAdd(s, s, a);
      b = hn::MulAdd(t, t, b);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
    for (; j < width; ++j) sum += (row[j] - x[j]) * (row[j] - x[j]);
    distances[i] = std::min(distances[i], sum);
  }
}

double AddToCentersOf(const float* rows, Index count, Index width, const std::int32_t* assigned,
                      const float* centers, double* sums) {
  const Doubles d;
  double total = 0;
  for (Index i = 0; i < count; ++i) {
    const float* row = rows + i * width;
    const float* center = centers + assigned[i] * width;
    double* sum = sums + assigned[i] * width;
    DoubleVector squares = hn::Zero(d);
    Index j = 0;
    for (; j + kDoubleLanes <= width; j += kDoubleLanes) {
      const DoubleVector x = LoadAsDouble(row + j);
      const DoubleVector t = hn::Sub(x, LoadAsDouble(center + j));
      squares = hn::MulAdd(t, t, squares);
      hn::StoreU(hn::Add(hn::LoadU(d, sum + j), x), d, sum + j);
    }
    double distance = Sum(squares);
    for (; j < width; ++j) {
      const double t = static_cast<double>(row[j]) - static_cast<double>(center[j]);
      distance += t * t;
      sum[j] += row[j];
    }
    total += distance;
  }
  return total;
}

// kVectors vectors of columns from `column` on, in registers for up to 64 rows.
template <int kVectors>
HWY_INLINE void AddMomentColumns(const float* rows, Index width, const WeightedRow* entries,
                                 Index count, Index column, const float* center, double* first,
                                 double* second) {
  const Floats d;
  FloatVector sums[kVectors], squares[kVectors], middle[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    sums[v] = squares[v] = hn::Zero(d);
    middle[v] = hn::LoadU(d, center + column + v * kLanes);
  }
  for (Index i = 0; i < count; ++i) {
    const float* row = rows + entries[i].row * width + column;
    const FloatVector weight = hn::Set(d, entries[i].weight);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const FloatVector t = hn::Sub(hn::LoadU(d, row + v * kLanes), middle[v]);
      const FloatVector weighted = hn::Mul(t, weight);
      sums[v] = hn::Add(sums[v], weighted);
      squares[v] = hn::MulAdd(weighted, t, squares[v]);
    }
  }
  HWY_ALIGN float values[2 * kLanes];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    hn::Store(sums[v], d, values);
    hn::Store(squares[v], d, values + kLanes);
    double* to_first = first + column + v * kLanes;
    double* to_second = second + column + v * kLanes;
    const Doubles dd;
    for (Index j = 0; j < kLanes; j += kDoubleLanes) {
      hn::StoreU(hn::Add(hn::LoadU(dd, to_first + j), LoadAsDouble(values + j)), dd, to_first + j);
      hn::StoreU(hn::Add(hn::LoadU(dd, to_second + j), LoadAsDouble(values + kLanes + j)), dd,
                 to_second + j);
    }
  }
}

void AddMomentsOf(const float* rows, Index width, const WeightedRow* entries, Index count,
                  const float* center, double* first, double* second) {
  constexpr Index kRows = 64;
  constexpr int kVectors = kLanes == 16 ? 4 : 2;  // three times as many registers are needed
  for (Index begin = 0; begin < count; begin += kRows) {
    const WeightedRow* part = entries + begin;
    const Index size = std::min(kRows, count - begin);
    Index j = 0;
    for (; j + kVectors * kLanes <= width; j += kVectors * kLanes) {
      AddMomentColumns<kVectors>(rows, width, part, size, j, center, first, second);
    }
    for (; j + kLanes <= width; j += kLanes) {
      AddMomentColumns<1>(rows, width, part, size, j, center, first, second);
    }
    for (; j < width; ++j) {
      float sum = 0, square = 0;
      for (Index i = 0; i < size; ++i) {
        const float t = rows[part[i].row * width + j] - center[j];
        sum += part[i].weight * t;
        square += part[i].weight * t * t;
      }
      first[j] += static_cast<double>(sum);
      second[j] += static_cast<double>(square);
    }
  }
}

}  // namespace alcedo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo::kernels {

HWY_EXPORT(SquaredDistancesOf);
HWY_EXPORT(ScaledSquaredDistancesOf);
HWY_EXPORT(LowerDistancesOf);
HWY_EXPORT(AddToCentersOf);
HWY_EXPORT(AddMomentsOf);

void SquaredDistances(const float* x, const float* centers, Index width, const std::int32_t* which,
                      Index count, double* out) {
  HWY_DYNAMIC_DISPATCH(SquaredDistancesOf)(x, centers, width, which, count, out);
}
void ScaledSquaredDistances(const float* x, const float* centers, const double* factors,
                            Index width, const std::int32_t* which, Index count, double* out) {
  HWY_DYNAMIC_DISPATCH(ScaledSquaredDistancesOf)(x, centers, factors, width, which, count, out);
}
void LowerDistances(const float* rows, Index count, Index width, const float* x, float* distances) {
  HWY_DYNAMIC_DISPATCH(LowerDistancesOf)(rows, count, width, x, distances);
}
double AddToCenters(const float* rows, Index count, Index width, const std::int32_t* assigned,
                    const float* centers, double* sums) {
  return HWY_DYNAMIC_DISPATCH(AddToCentersOf)(rows, count, width, assigned, centers, sums);
}
void AddMoments(const float* rows, Index width, const WeightedRow* entries, Index count,
                const float* center, double* first, double* second) {
  HWY_DYNAMIC_DISPATCH(AddMomentsOf)(rows, width, entries, count, center, first, second);
}
}  // namespace alcedo::kernels
#endif  // HWY_ONCE
