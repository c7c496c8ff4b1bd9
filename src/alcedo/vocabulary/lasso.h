// Sparse codes of single rows.
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/vocabulary/dictionary.h"

namespace alcedo {

// atoms atoms^T, as LassoCode takes it.
Rows AtomGram(const Dictionary& dictionary);

// The code of one row, by coordinate descent on an active set, to `tolerance` in the largest change
// of a coefficient (relative to the largest coefficient) or for `max_sweeps` sweeps over the active
// set. gram = atoms atoms^T; atoms of another norm than 1, also 0, are coded as they are. `code`
// has size K and is also where it starts from; coefficients that are not used are exactly zero.
// Requires a finite row and l1 >= 0.
struct LassoWork {
  std::vector<float> correlation;
  std::vector<float> row;
  std::vector<Index> active;
};
void LassoCode(const Dictionary& dictionary, const Rows& gram, const float* row, double l1,
               double tolerance, int max_sweeps, LassoWork& work, float* code);

}  // namespace alcedo
