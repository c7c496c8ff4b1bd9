// The multi-scale grid of patches that every descriptor is computed on (section 5.2: "densely at
// multiple scales resulting in approximately 10K descriptors per image").
#pragma once

#include <cmath>
#include <vector>

#include "alcedo/descriptors/descriptors.h"
#include "alcedo/image/image.h"

namespace alcedo {

struct GridOptions {
  int patch = 24;                      // side in pixels of the scaled image; a multiple of 4
  int step = 4;                        // between neighbours, pixels of the scaled image, >= 1
  int scales = 5;                      // >= 1
  double scale_factor = std::sqrt(2);  // between one scale and the next, > 1
  // Every patch also as it is in the mirror image, with the place of the patch itself: twice as
  // many rows, the mirrored ones last. A bird that looks to the left is then like one that looks to
  // the right.
  bool mirror = false;

  friend bool operator==(const GridOptions&, const GridOptions&) = default;
};
template <class Visitor>
void VisitFields(GridOptions& o, Visitor&& visit) {
  visit("patch", o.patch, "side of a patch in pixels, a multiple of 4");
  visit("step", o.step, "pixels between neighbouring patches");
  visit("scales", o.scales, "number of scales; each is smaller by scale_factor");
  visit("scale_factor", o.scale_factor, "ratio between neighbouring scales, > 1");
  visit("mirror", o.mirror, "take every patch of the mirror image, too: twice as many rows");
}

// Throws InvalidArgument on options out of range.
void Check(const GridOptions& options);

// The patches of one scale: columns x rows of them, the first with its top left corner at pixel
// (0, 0) of the scaled image and then `step` pixels apart.
struct GridLevel {
  int width = 0, height = 0;  // of the scaled image
  int columns = 0, rows = 0;
  Index first = 0;  // the number of the level's first patch; they go row by row
};

struct PatchGrid {
  std::vector<GridLevel> levels;  // those in which at least one patch fits
  std::vector<Patch> patches;     // all levels, in pixels of the original image
  int patch = 0, step = 0;
};

// The patches of the image itself, whether or not those of the mirror image are taken, too.
//
// An image smaller than a patch gives no levels and no patches. Scale s has size round(width /
// scale_factor^s) x round(height / scale_factor^s), halves rounded up.
//
// A pixel of a level is rx = original width / level width by ry pixels of the original image: a
// patch's centre is scaled by each, its side by sqrt(rx ry). They differ by rounding only.
PatchGrid MakePatchGrid(const Image& image, const GridOptions& options);

}  // namespace alcedo
