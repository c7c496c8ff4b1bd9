// How training and experiments describe images.
#pragma once

#include "alcedo/config/options.h"

namespace alcedo {

struct DescribingOptions {
  bool root_sift = true;
  int sift_patch = 32;
  int color_patch = 16;
  int scales = 7;
};
template <class Visitor>
void VisitFields(DescribingOptions& o, Visitor&& visit) {
  visit("root_sift", o.root_sift, "take RootSIFT instead of SIFT");
  visit("sift_patch", o.sift_patch, "side of a patch of SIFT in pixels, a multiple of 4");
  visit("color_patch", o.color_patch, "side of a patch of colour in pixels, a multiple of 4");
  visit("scales", o.scales, "scales of the image, 1/sqrt(2) apart");
}

// Throws InvalidArgument for options out of range.
void Check(const DescribingOptions& options);

// External descriptors are not computed: for them nothing is set.
DescribeOptions DescribeWith(const DescriptorChoice& descriptor, const DescribingOptions& options);

}  // namespace alcedo
