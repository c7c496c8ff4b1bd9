// The images that candidates are screened on. The products of all pairs of images and their
// factorisation, which are what screening takes, grow with the square and the cube of how many
// there are; and to rank candidates, some thousands are enough.
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {

// About the most that are screened on.
inline constexpr Index kScreeningImages = 2500;

struct ScreeningImages {
  std::vector<Index> rows;  // of the training vectors, increasing
  Truth truth;              // of these rows
  std::vector<Fold> folds;  // numbers of these rows
  Truth held_out;           // as HeldOutTruth() has it
};

// All images if there are at most `most`; else as many, evenly from every class and fold. (An image
// of several classes counts for its first.)
ScreeningImages ThinOut(const Truth& truth, const std::vector<Fold>& folds, Index most);

}  // namespace alcedo::reproduce
