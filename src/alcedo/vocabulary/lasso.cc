#include "alcedo/vocabulary/lasso.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alcedo/vocabulary/lasso.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace alcedo::lasso::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

constexpr float kRounding = 2.4e-7f;  // two units in the last place

// q += factor g
HWY_INLINE void AddScaled(float factor, const float* g, Index count, float* q) {
  const Floats d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const auto f = hn::Set(d, factor);
  Index k = 0;
  for (; k + 2 * lanes <= count; k += 2 * lanes) {
    const auto a = hn::MulAdd(f, hn::LoadU(d, g + k), hn::LoadU(d, q + k));
    const auto b = hn::MulAdd(f, hn::LoadU(d, g + k + lanes), hn::LoadU(d, q + k + lanes));
    hn::StoreU(a, d, q + k);
    hn::StoreU(b, d, q + k + lanes);
  }
  for (; k < count; ++k) q[k] += factor * g[k];
}

// The atom of largest correlation among those without a coefficient (the lowest of equals), or -1
// if none has more than `above`.
HWY_INLINE Index LargestUnused(const float* q, const float* code, Index count, float above) {
  const Floats d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  auto most = hn::Set(d, above);
  Index k = 0;
  for (; k + lanes <= count; k += lanes) {
    const auto unused = hn::Eq(hn::LoadU(d, code + k), hn::Zero(d));
    most = hn::Max(most, hn::IfThenElseZero(unused, hn::Abs(hn::LoadU(d, q + k))));
  }
  float largest = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; k < count; ++k) largest = std::max(largest, code[k] == 0 ? std::abs(q[k]) : 0.0f);
  if (!(largest > above)) return -1;
  k = 0;
  while (code[k] != 0 || std::abs(q[k]) != largest) ++k;
  return k;
}

struct Problem {
  const float* gram;
  Index count;
  float l1;
};

struct Change {
  float largest_step = 0;
  float largest_coefficient = 0;
};

// One pass over the active set: every coefficient takes its best value given the others. Those that
// end at zero leave the set.
HWY_INLINE Change Sweep(const Problem& problem, std::vector<Index>& active, float* q, float* code) {
  Change change;
  std::size_t kept = 0;
  for (const Index k : active) {
    const float* g = problem.gram + k * problem.count;
    const float z = q[k] + g[k] * code[k];
    const float shrunk = std::max(std::abs(z) - problem.l1, 0.0f);
    const float best = shrunk > 0 && g[k] > 0 ? std::copysign(shrunk, z) / g[k] : 0.0f;
    const float step = best - code[k];
    if (best != 0) active[kept++] = k;
    change.largest_coefficient = std::max(change.largest_coefficient, std::abs(best));
    // What is below the rounding of q is no step: taken again and again, such would add up.
    if (best != 0 && code[k] != 0 && std::abs(step) * g[k] <= kRounding * std::abs(z)) continue;
    if (step == 0) continue;
    change.largest_step = std::max(change.largest_step, std::abs(step));
    code[k] = best;
    AddScaled(-step, g, problem.count, q);
  }
  active.resize(kept);
  return change;
}

// Atoms come in one at a time, the most correlated first, and not before they promise more than the
// last sweep over those already there has changed. On SIFT (256 atoms, 5 to 40 of them used) this
// is three times as fast as always taking the coordinate that changes most, and 1.2 to 1.5 times as
// fast as a rough solution between two atoms and a good one at the end.
void SolveLasso(const float* gram, Index count, float l1, float tolerance, int max_sweeps, float* q,
                std::vector<Index>& active, float* code) {
  const Problem problem{gram, count, l1};
  const float above = l1 * (1 + kRounding);
  if (active.empty()) {
    const Index first = LargestUnused(q, code, count, above);
    if (first < 0) return;
    active.push_back(first);
  }
  for (int sweeps = 0; sweeps < max_sweeps; ++sweeps) {
    const Change change = Sweep(problem, active, q, code);
    const float enough = tolerance * change.largest_coefficient;
    const Index next = LargestUnused(q, code, count, above + std::max(change.largest_step, enough));
    if (next >= 0) {
      active.push_back(next);
    } else if (change.largest_step <= enough) {
      return;
    }
  }
}

}  // namespace alcedo::lasso::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace alcedo {
namespace lasso {
HWY_EXPORT(SolveLasso);
}  // namespace lasso

void LassoCode(const Dictionary& dictionary, const Rows& gram, const float* row, double l1,
               double tolerance, int max_sweeps, LassoWork& work, float* code) {
  const Index count = dictionary.size(), d = dictionary.dimension();
  if (gram.rows() != count || gram.cols() != count) {
    throw InvalidArgument("LassoCode gram must have one row and one column per atom");
  }
  Require(l1 >= 0, "l1", ">= 0", l1);
  Require(tolerance >= 0, "LassoCode tolerance", ">= 0", tolerance);
  float largest = 0;
  for (Index j = 0; j < d; ++j) largest = std::max(largest, std::abs(row[j]));
  if (largest == 0) {
    std::fill_n(code, count, 0.0f);
    return;
  }
  // To between 1/2 and 1, by a power of two, so that no scale of the descriptors leaves the range
  // of float on the way.
  const double scale = std::ldexp(1.0, -std::ilogb(largest) - 1);
  work.row.resize(d);
  for (Index j = 0; j < d; ++j) work.row[j] = static_cast<float>(row[j] * scale);
  work.correlation.resize(count);
  float* q = work.correlation.data();
  kernels::Dots(dictionary.atoms.data(), count, d, work.row.data(), q);
  work.active.clear();
  for (Index k = 0; k < count; ++k) {
    if (code[k] == 0) continue;
    code[k] = static_cast<float>(code[k] * scale);
    const float back = -code[k];
    kernels::AddWeightedRows(gram.data() + k * count, 1, count, &back, q);
    work.active.push_back(k);
  }
  const auto weight = static_cast<float>(
      std::min(l1 * scale, static_cast<double>(std::numeric_limits<float>::max())));
  HWY_DYNAMIC_DISPATCH(lasso::SolveLasso)
  (gram.data(), count, weight, static_cast<float>(tolerance), max_sweeps, q, work.active, code);
  for (const Index k : work.active) code[k] = static_cast<float>(code[k] / scale);
}

Rows AtomGram(const Dictionary& dictionary) {
  const Matrix atoms = dictionary.atoms.cast<double>();
  return (atoms * atoms.transpose()).cast<float>();
}

}  // namespace alcedo
#endif  // HWY_ONCE
