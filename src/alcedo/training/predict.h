// From pictures to scores of classes, by a model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encode/encode_batch.h"
#include "alcedo/training/model.h"
#include "alcedo/encode/represent.h"

namespace alcedo {

// A model made ready for many images.
struct Predictor {
  Model model;
  std::vector<Representer> representers;  // of its channels
};
Predictor MakePredictor(Model model);

// What a model says of one image.
struct Prediction {
  Vector scores;         // one per class: fused, the larger the likelier
  Vector probabilities;  // of every class against the rest; empty where the model has none
  std::string failure;   // why there is nothing above, without the name of the image; empty: there
                         // is

  // What classes are ranked by: probabilities where there are any.
  const Vector& values() const { return probabilities.size() > 0 ? probabilities : scores; }
};

// `bytes` are a whole file, `name` stands for it in messages. Throws what is wrong with it. The
// result does not depend on `threads`.
Prediction PredictBytes(const Predictor& predictor, const std::string& bytes,
                        const std::string& name, int threads = 1);

// The classes from the likeliest to the least likely: by value, then by score, then by number.
std::vector<int> RankedClasses(const Prediction& prediction);

// Many files, in parallel, handed over in order from the calling thread while the work goes on; at
// most four images per thread are in memory. A bad image is its prediction's failure.
using PredictionReceiver = std::function<void(Index number, const Prediction& prediction)>;
void PredictImages(const Predictor& predictor, std::span<const EncodeInput> inputs,
                   const EncodeRun& run, const PredictionReceiver& receive);

}  // namespace alcedo
