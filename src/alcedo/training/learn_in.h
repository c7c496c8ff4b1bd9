// Learning a vocabulary as a step of something larger.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/base/run.h"
#include "alcedo/learn/learn.h"

namespace alcedo {

// From these images of the dataset, with the work folder `folder`, which stays. Progress is told of
// as stages of `what`, such as "sift vocabulary".
Vocabulary LearnIn(const std::filesystem::path& folder, const std::string& what,
                   const Dataset& dataset, std::span<const Index> images, const LearnConfig& config,
                   const Run& run, bool few_samples = false);

// How pictures are described by experiments and by `train`, whose options have the same fields.
template <class Options>
DescribeOptions DescribeWith(DescriptorKind descriptor, const Options& options) {
  DescribeOptions describe;
  describe.descriptor = descriptor;
  if (descriptor == DescriptorKind::kExternal) return describe;  // nothing is computed
  describe.sift.root = options.root_sift;
  describe.grid.patch =
      descriptor == DescriptorKind::kSift ? options.sift_patch : options.color_patch;
  describe.grid.scales = options.scales;
  return describe;
}

// Throws InvalidArgument where these fields are out of range.
template <class Options>
void CheckDescribing(const Options& options) {
  for (const auto& [name, patch] : {std::pair{"sift_patch", options.sift_patch},
                                    std::pair{"color_patch", options.color_patch}}) {
    Require(patch >= 4 && patch % 4 == 0, name, "a multiple of 4", patch);
  }
  Require(options.scales >= 1 && options.scales <= 100, "scales", "from 1 to 100", options.scales);
}

}  // namespace alcedo
