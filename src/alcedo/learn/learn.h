// Learning a vocabulary from a collection: memory that does not grow with it, a work folder that
// lets an interrupted run resume, and the same bytes whatever happened on the way.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/config/config.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo {

// How learning is run. run.work is made if it is not there; see RemoveWorkFolder(). Stages of
// run.progress: "sampling" (of images), "pca", "k-means", "em", "dictionary", "rotations" (of
// iterations).
struct LearnRun : Run {
  double max_memory = 1024;  // MiB that samples may take in memory; more are read from the disk
  double checkpoint_seconds = 2;  // of work between two checkpoints of the iterations, at least
};

struct LearnResult {
  Vocabulary vocabulary;
  std::vector<Failure> failures;
};

// Draws config.samples descriptors, the same number from every image (from an image of fewer
// patches, all of them), without repetition and without zero vectors; fits PCA, then the words. Of
// fewer samples than images, evenly spaced images give one each and the others are not read.
//
// An image that cannot be used, or whose descriptors have not the dimension of the first's, is a
// failure, and does not stop the others. InvalidArgument if all are, if fewer than two descriptors
// were found, and on options out of range (before the first image is read).
//
// The work folder holds the samples, how far sampling came, and an iteration of the words; a folder
// of other inputs, another config or another version of the program is refused. A run that was
// interrupted at any time and resumes from there gives the vocabulary of an undisturbed one, byte
// for byte, for any number of threads and any max_memory. The folder stays: a run that was
// interrupted before its vocabulary was stored can still be resumed.
//
// training.inputs_hash is a chain over the images that were read, in order, from h = "":
// h = ContentHash(h + name + ContentHash(contents)).
LearnResult Learn(const std::vector<Input>& inputs, const LearnConfig& config, const LearnRun& run);

// One of several vocabularies that are learned from the same images.
struct LearnTask {
  LearnConfig config;
  std::filesystem::path work;  // its work folder, instead of run.work
  std::string name;            // leads the stages of run.progress: "sift vocabulary, em"
  // If the images give too few samples for the Gaussians asked for: take AutomaticGaussians()
  // instead of refusing.
  bool fewer_gaussians = false;
};
// Every image is read and decoded once for all tasks, then one vocabulary is learned after the
// other: the same bytes as by Learn() of each.
std::vector<LearnResult> LearnMany(const std::vector<Input>& inputs,
                                   const std::vector<LearnTask>& tasks, const LearnRun& run);

// Fewer samples than these for each Gaussian are few.
inline constexpr int kSamplesPerGaussian = 20;

// The largest power of two, at most 256, that leaves each Gaussian so many samples; at least 1.
int AutomaticGaussians(std::int64_t samples);

// Throws InvalidArgument for options out of range, or that do not fit each other.
void Check(const LearnConfig& config);

// Removes a work folder when its vocabulary is stored: the files that Learn() makes, and the folder
// itself unless something else is in it. Nothing if there is no such folder.
void RemoveWorkFolder(const std::filesystem::path& path);

// Whether a folder is the work folder of a learning run, and its files that are no longer what was
// written, each with the reason. The state of the iterations is not looked at: a damaged one is not
// used.
bool IsLearnFolder(const std::filesystem::path& path);
std::vector<Failure> DamagedLearnFiles(const std::filesystem::path& path);

}  // namespace alcedo
