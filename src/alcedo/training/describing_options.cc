#include "alcedo/training/describing_options.h"

#include <utility>

#include "alcedo/base/error.h"

namespace alcedo {

void Check(const DescribingOptions& options) {
  for (const auto& [name, patch] : {std::pair{"sift_patch", options.sift_patch},
                                    std::pair{"color_patch", options.color_patch}}) {
    Require(patch >= 4 && patch % 4 == 0, name, "a multiple of 4", patch);
  }
  Require(options.scales >= 1 && options.scales <= 100, "scales", "from 1 to 100", options.scales);
}

DescribeOptions DescribeWith(const DescriptorChoice& descriptor, const DescribingOptions& options) {
  DescribeOptions describe;
  describe.descriptor = descriptor;
  if (descriptor.Is<ExternalOptions>()) return describe;
  describe.descriptor.Get<SiftOptions>().root = options.root_sift;
  if (descriptor.Is<SiftOptions>()) describe.grid.patch = options.sift_patch;
  if (descriptor.Is<ColorOptions>()) describe.grid.patch = options.color_patch;
  describe.grid.scales = options.scales;
  return describe;
}

}  // namespace alcedo
