#include "alcedo/experiment/learn_in.h"

#include <fmt/format.h>

namespace alcedo {

Vocabulary LearnIn(const std::filesystem::path& folder, const std::string& what,
                   const Dataset& dataset, std::span<const Index> images, const LearnConfig& config,
                   const ExperimentRun& run) {
  std::vector<LearnInput> inputs;
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    inputs.push_back({image.path, image.name});
  }
  LearnRun learn;
  learn.threads = run.threads;
  learn.work_folder = folder;
  learn.write = run.write;
  learn.progress = [&](const LearnProgress& step) {
    Report(run, {fmt::format("{}, {}", what, step.stage), step.done, step.total, step.resumed,
                 step.stage == "sampling" ? "images" : "iterations"});
  };
  return Learn(inputs, config, learn).vocabulary;
}

DescribeOptions DescribeWith(DescriptorKind descriptor, bool root_sift, int patch, int scales) {
  DescribeOptions describe;
  describe.descriptor = descriptor;
  describe.sift.root = root_sift;
  describe.grid.patch = patch;
  describe.grid.scales = scales;
  return describe;
}

}  // namespace alcedo
