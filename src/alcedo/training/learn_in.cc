#include "alcedo/training/learn_in.h"

#include <fmt/format.h>

namespace alcedo {

Vocabulary LearnIn(const std::filesystem::path& folder, const std::string& what,
                   const Dataset& dataset, std::span<const Index> images, const LearnConfig& config,
                   const Run& run, bool few_samples) {
  std::vector<LearnInput> inputs;
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    inputs.push_back({image.path, image.name});
  }
  LearnRun learn;
  learn.threads = run.threads;
  learn.work_folder = folder;
  learn.few_samples = few_samples;
  learn.write = run.write;
  learn.progress = [&](const LearnProgress& step) {
    Report(run, {fmt::format("{}, {}", what, step.stage), step.done, step.total, step.resumed,
                 step.stage == "sampling" ? "images" : "iterations"});
  };
  return Learn(inputs, config, learn).vocabulary;
}

}  // namespace alcedo
