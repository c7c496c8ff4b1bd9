// Learning a vocabulary from a collection: memory that does not grow with it, a work folder that
// lets an interrupted run go on, and the same bytes whatever happened on the way.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "alcedo/config/config.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo {

struct LearnInput {
  std::filesystem::path path;
  std::string name;  // for messages and hashes
};

struct LearnFailure {
  std::string name;
  std::string reason;
};

struct LearnProgress {
  std::string stage;  // "sampling", "pca", "k-means", "em", "dictionary", "rotations"
  Index done = 0;     // images, or iterations
  Index total = 0;
  Index resumed = 0;           // of `done`, those that an earlier run did
  double objective = 0;        // of iterations
  std::string objective_name;  // "log-likelihood", "squared error"; empty for stages without
};

struct LearnRun {
  double max_memory = 1024;  // MiB that samples may take in memory; more are read from the disk
  int threads = 1;
  std::filesystem::path work_folder;  // made where it is not there; see RemoveWorkFolder()
  // Called after every image and iteration, from any thread but never by two at once. What it
  // throws ends the run, which can then be resumed. May be empty.
  std::function<void(const LearnProgress&)> progress;
  // Wraps every write to the work folder, so that an interruption never falls into one. May be
  // empty.
  std::function<void(const std::function<void()>&)> write;
  bool few_samples = false;       // whether there may be fewer samples than words
  double checkpoint_seconds = 2;  // of work between two checkpoints of the iterations, at least
};

struct LearnResult {
  Vocabulary vocabulary;
  std::vector<LearnFailure> failures;
};

// Draws config.samples descriptors, the same number from every image (from a picture of fewer
// patches, all of them), without repetition and without zero vectors; fits PCA, then the words. Of
// fewer samples than images, evenly spaced images give one each and the others are not read.
//
// An image that cannot be used, or whose descriptors have not the dimension of the first's, is a
// failure, and all others go on. InvalidArgument where all are, where fewer than two descriptors
// were found, and on options out of range (before the first image is read).
//
// The work folder holds the samples, how far sampling came, and an iteration of the words; a folder
// of other inputs, another config or another version of the program is refused. A run that was
// interrupted at any time and goes on from there gives the vocabulary of an undisturbed one, byte
// for byte, for any number of threads and any max_memory. The folder stays: a run that was
// interrupted before its vocabulary was stored can still be resumed.
//
// training.inputs_hash is a chain over the images that were read, in order, from h = "":
// h = ContentHash(h + name + ContentHash(contents)).
LearnResult Learn(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                  const LearnRun& run);

// Removes a work folder when its vocabulary is stored: the files that Learn() makes, and the folder
// itself unless something else is in it. Nothing where there is no such folder.
void RemoveWorkFolder(const std::filesystem::path& path);

}  // namespace alcedo
