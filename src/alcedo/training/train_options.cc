#include "alcedo/training/train_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  describe.grid.mirror = options.mirror;
  return describe;
}

void Check(const TrainOptions& o) {
  Require(o.gaussians >= 0, "gaussians", ">= 0", o.gaussians);
  Require(o.samples >= 100, "samples", ">= 100", o.samples);
  Check(static_cast<const DescribingOptions&>(o));
  Require(o.lambda >= 0 && std::isfinite(o.lambda), "lambda", ">= 0 and finite", o.lambda);
  Require(o.power >= 0 && o.power <= 1, "power", "in [0, 1]", o.power);
  if (o.c.empty()) throw InvalidArgument("c", "must have at least one value", "");
  for (const double c : o.c) Require(c >= 1e-12 && c <= 1e12, "c", "from 1e-12 to 1e12", c);
  Require(o.folds >= 2, "folds", ">= 2", o.folds);
  if (o.encoder.Is<SparseCodingOptions>()) {
    throw InvalidArgument("encoder", "must not need a dictionary: a mixture is learned", "sparse");
  }
  if (o.fusion_weights == FusionWeights::kValidation && !o.descriptor.Is<BothDescriptors>()) {
    throw InvalidArgument(
        "fusion_weights",
        fmt::format("validation goes with descriptor both, not with {}", o.descriptor.name()), "");
  }
}

}  // namespace alcedo
