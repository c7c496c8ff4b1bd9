// The one look at the test images.
#pragma once

#include <map>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/reproduce/final_models.h"

namespace alcedo::reproduce {

struct TestScores {
  std::vector<Index> images;          // of dataset.images, those that could be read
  std::map<ModelKey, Matrix> scores;  // images x classes
  std::vector<Failure> failures;
  Index made = 0;  // images that were read for it; the others were there from an earlier run
};

// Every test image is read once: its vectors go through all models, and only their scores are kept,
// in run.work / "scores", a file for the models of each pair of rows. A run that was killed resumes
// where it was, and models that were there in an earlier run are not asked again.
TestScores ScoreTestImages(const ReadyPlan& ready, const std::vector<std::vector<ModelKey>>& keys,
                           const Dataset& dataset, const ImageHashes& hashes, const Run& run);

}  // namespace alcedo::reproduce
