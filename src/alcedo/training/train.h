// From a set of images to a model: a vocabulary per channel, a vector per image, and SVMs
// whose C is chosen by images that they have not seen.
#pragma once

#include <filesystem>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/learn/learn.h"
#include "alcedo/training/model.h"
#include "alcedo/training/train_options.h"

namespace alcedo {

struct TrainResult {
  Model model;
  std::vector<Failure> failures;  // images that are left out
  double held_out_images = 0;     // top-1 over the held-out images, percent; single-label sets
  bool converged = true;          // all SVMs converged
};

// Trains on the images that are not for testing (options.all: on all). Images that cannot be read
// are failures and left out; a class that loses all its images that way is an InvalidArgument.
//
// If the smallest class has fewer images than there are folds, there are as many folds as it has
// images; if that is one, nothing is held out: C is the first candidate, training.folds is 0,
// and probabilities, or fusion weights by validation, are an InvalidArgument.
//
// run.work holds vocabularies and vectors, so that a run that was interrupted at any time goes on;
// the model is that of an undisturbed run, bit for bit, for any number of threads. A folder of
// other options, other images or another version is an InvalidArgument.
//
// Memory: the vectors of one channel (n x D floats) and two matrices of products (n x n floats),
// beside the model.
TrainResult Train(const Dataset& dataset, const TrainOptions& options, const Run& run);

// Removes the work folder when the model is stored; what Train() did not make stays.
void RemoveTrainFolder(const std::filesystem::path& folder);

}  // namespace alcedo
