// Dense SIFT (Lowe 2004): 4 x 4 cells of 8 orientations, one descriptor per patch of the grid.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/descriptors/descriptors.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"

namespace alcedo {

struct SiftOptions {
  static constexpr Label kLabel{.name = "sift", .title = "SIFT"};

  // A patch is flat if its mean gradient magnitude, in 8-bit units per pixel and weighted as in
  // the descriptor, is below this (or below 1e-6): its descriptor is then exactly zero. Rounding to
  // 8 bits alone gives smooth areas a mean gradient of 0.26, so that below 0.25 there is nothing
  // but noise: black frames, white backgrounds and saturated areas. Skies stay (3 in 10,000 patches
  // of VOC 2007's image 657, nine tenths sky); on average 0.8 % of Flowers' patches are flat.
  double contrast = 0.25;
  bool keep_flat = true;  // flat patches stay as zero rows, or are left out
  bool root = false;      // RootSIFT: L1-normalise and take square roots (Arandjelovic 2012)

  friend bool operator==(const SiftOptions&, const SiftOptions&) = default;
};
template <class Visitor>
void VisitFields(SiftOptions& o, Visitor&& visit) {
  visit("contrast", o.contrast, "patches of a lower mean gradient are flat: a zero vector");
  visit("keep_flat", o.keep_flat,
        "keep flat patches, as zero vectors, instead of leaving them out");
  visit("root", o.root, "RootSIFT: square roots of the L1-normalised descriptor");
}

// Throws InvalidArgument on options out of range.
void Check(const SiftOptions& options);

// On luminance, without smoothing; every scale by area averaging of the image. Gradients are
// central differences, one-sided at the borders. Their magnitudes are split linearly between the
// nearest orientations and cells. As in VLFeat's fast dense SIFT the window is flat: a cell as a
// whole is weighted by the mean, over the pixels it takes gradients from, of a Gaussian around the
// middle of the patch with half the patch as its deviation. L2-normalised, clamped at 0.2,
// L2-normalised again.
//
// Cells are patch / 4 = b pixels apart, and each is centred on a pixel, as VLFeat's: on pixels
// (b - 1) / 2, rounded down, + 0, b, 2 b, 3 b of the patch. If b is odd they lie symmetrically
// in the patch; if it is even, half a pixel to the left and above (2, 8, 14 and 20 of 24
// pixels). Interpolation lets outer cells reach up to b / 2 pixels over the patch's border; if
// the image ends there, the gradients on its border are repeated. So descriptors equal those of
// vl_dsift with its bounds moved in by (b - 1) / 2 pixels on the left and above, and by b / 2 on
// the other sides (both rounded down), in the same order, to cosines of at least 0.999: what is
// left are VLFeat's approximate angles.
//
// grid.mirror appends the rows of the mirror image: the same cells and orientations in mirrored
// order. If b is even, that is the descriptor of the mirror image one pixel to the right.
//
// Order of the 128 values: cell rows from top to bottom, in a row cells from left to right, in a
// cell orientations 0, 45, ... 315 degrees, counted from +x towards +y (downwards). Byte-identical
// on every number of threads. Samples may have any finite size; those beyond 2^20 are computed with
// in proportion to the largest. An image smaller than a patch gives no rows.
Descriptors ExtractDenseSift(const Image& image, const GridOptions& grid = {},
                             const SiftOptions& options = {}, int threads = 1);

}  // namespace alcedo
