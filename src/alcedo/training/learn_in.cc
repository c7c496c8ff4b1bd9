#include "alcedo/training/learn_in.h"

namespace alcedo {

std::vector<Input> InputsOf(const Dataset& dataset, std::span<const Index> images) {
  std::vector<Input> inputs;
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    inputs.push_back({image.path.string(), image.name});
  }
  return inputs;
}

std::vector<LearnResult> LearnIn(const Dataset& dataset, std::span<const Index> images,
                                 const std::vector<LearnTask>& tasks, const Run& run) {
  LearnRun learn;
  static_cast<Run&>(learn) = run;
  return LearnMany(InputsOf(dataset, images), tasks, learn);
}

}  // namespace alcedo
