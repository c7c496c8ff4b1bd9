// Learning a vocabulary as a step of something larger.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/learn/learn.h"

namespace alcedo {

// The images of a dataset with these numbers.
std::vector<Input> InputsOf(const Dataset& dataset, std::span<const Index> images);

// Several vocabularies in one reading of the images. `run` is that of the larger step.
std::vector<LearnResult> LearnIn(const Dataset& dataset, std::span<const Index> images,
                                 const std::vector<LearnTask>& tasks, const Run& run);

// How images are described by experiments and by training, whose options have the same fields.
template <class Options>
DescribeOptions DescribeWith(const DescriptorChoice& descriptor, const Options& options) {
  DescribeOptions describe;
  describe.descriptor = descriptor;
  if (descriptor.Is<ExternalOptions>()) return describe;  // nothing is computed
  describe.descriptor.Get<SiftOptions>().root = options.root_sift;
  if (descriptor.Is<SiftOptions>()) describe.grid.patch = options.sift_patch;
  if (descriptor.Is<ColorOptions>()) describe.grid.patch = options.color_patch;
  describe.grid.scales = options.scales;
  return describe;
}

// Throws InvalidArgument if these fields are out of range.
template <class Options>
void CheckDescribing(const Options& options) {
  for (const auto& [name, patch] : {std::pair{"sift_patch", options.sift_patch},
                                    std::pair{"color_patch", options.color_patch}}) {
    Require(patch >= 4 && patch % 4 == 0, name, "a multiple of 4", patch);
  }
  Require(options.scales >= 1 && options.scales <= 100, "scales", "from 1 to 100", options.scales);
}

}  // namespace alcedo
