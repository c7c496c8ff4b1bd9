// From images to scores of classes, by a model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/encode/image_encoder.h"
#include "alcedo/training/model.h"

namespace alcedo {

// A model made ready for many images: all its channels come from one decoding of an image.
struct Predictor {
  explicit Predictor(Model model);

  Model model;
  ImageEncoder encoder;
};

// What a model says of one image.
struct Prediction {
  Vector scores;         // one per class: fused, the larger the more likely
  Vector probabilities;  // of every class against the rest; empty if the model has none
  Index patches = 0;     // of all channels; without any the scores are the model's bias alone
  std::string hash;      // ContentHash() of the file; empty if it could not be read
  std::string failure;   // why there are no scores, without the name of the image; empty: there are

  // What classes are ranked by: probabilities if there are any.
  const Vector& values() const { return probabilities.size() > 0 ? probabilities : scores; }
};

// `bytes` are a whole file, `name` stands for it in messages. Throws what is wrong with it. The
// result does not depend on `threads`.
Prediction PredictBytes(const Predictor& predictor, std::string_view bytes, const std::string& name,
                        int threads = 1);

// The same from the vectors that predictor.encoder made of an image.
Prediction PredictVectors(const Predictor& predictor, const ImageVectors& vectors, int threads = 1);

// The classes from the likeliest to the least likely: by value, then by score, then by number.
std::vector<int> RankedClasses(const Prediction& prediction);

// Many files, in parallel, handed over in order from the calling thread while the work goes on; at
// most four images per thread are in memory. A bad image is its prediction's failure.
using PredictionReceiver = std::function<void(Index number, const Prediction& prediction)>;
void PredictImages(const Predictor& predictor, std::span<const Input> inputs, const Run& run,
                   Progress& progress, const PredictionReceiver& receive);

}  // namespace alcedo
