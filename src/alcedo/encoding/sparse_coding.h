// Sparse codes over a dictionary.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/vocabulary/dictionary.h"

namespace alcedo {

// argmin_c 1/2 |x - sum_k c_k a_k|^2 + l1 |c|_1, the non-zero c_k as entries: K blocks of size 1.
// A descriptor whose correlation with every atom is at most l1 has no entries at all.
struct SparseCodingOptions {
  static constexpr Label kLabel{.name = "sparse", .title = "sparse coding"};

  double l1 = 0.15;         // > 0: weight of the l1 norm, in the unit of the descriptors
  double tolerance = 1e-4;  // > 0: largest change of a coefficient, relative to the largest of them
  int max_sweeps = 1000;    // >= 1
};
template <class Visitor>
void VisitFields(SparseCodingOptions& o, Visitor&& visit) {
  visit("l1", o.l1, "weight of the l1 norm of a code");
  visit("tolerance", o.tolerance, "stop when coefficients change by less than this part");
  visit("max_sweeps", o.max_sweeps, "sweeps over the coefficients at most");
}
void Check(const SparseCodingOptions& options);

struct SparseCodingEncoder {
  Dictionary dictionary;
  SparseCodingOptions options;
};

}  // namespace alcedo
