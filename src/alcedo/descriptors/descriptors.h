// Local descriptors of one image: what stands at the entrance of the pipeline, ours or anybody's.
#pragma once

#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// A square region: its centre and side in pixels of the original image. Pixel i covers [i, i + 1),
// so that the centre of the top left pixel is (0.5, 0.5).
struct Patch {
  float x = 0;
  float y = 0;
  float size = 0;
};

// One row per patch. `patches` is empty if positions are not known (descriptors from
// elsewhere); spatial pyramids and weight maps then refuse.
struct Descriptors {
  Rows values;  // N x d
  std::vector<Patch> patches;
  double width = 0;  // of the original image; 0 if not known
  double height = 0;
};

}  // namespace alcedo
