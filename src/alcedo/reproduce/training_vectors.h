// The vectors of all images that are not tested on: made in one pass, kept on the disk, read back
// one choice at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/dataset/image_hashes.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/unfinished_solves.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::reproduce {

// Images of one shard of the intermediate files. It bounds memory: all vectors of so many images.
inline constexpr int kImagesPerShard = 32;

class TrainingVectors {
 public:
  // Makes the vectors `which` (of every coding, its choices) that run.work / "vectors" does not
  // have yet; what is there of others stays. A run that was killed resumes where it was.
  TrainingVectors(const ReadyPlan& plan, WantedPoolings which, const Dataset& dataset,
                  const ImageHashes& hashes, const Run& run);

  // Numbers of the images (of dataset.images) that have vectors, in order: the rows of Read().
  const std::vector<Index>& images() const { return images_; }
  const std::vector<Failure>& failures() const { return failures_; }
  // How many images were read for it; the others were there from an earlier run.
  Index made() const { return made_; }

  // images x dimension, before power and L2; of what is among `which`, or pooled as it.
  Rows Read(int coding, int choice) const;
  // Some of these rows, which must be in order.
  Rows Read(int coding, int choice, std::span<const Index> which) const;

  // Gives the disk back.
  void Remove() const;

  // What these files take for so many images.
  static double DiskBytes(const ReadyPlan& plan, const WantedPoolings& which, Index images);

 private:
  std::filesystem::path Folder(int coding, int choice) const;

  const ReadyPlan& plan_;
  WantedPoolings which_;
  std::filesystem::path folder_;
  std::vector<Index> images_;
  std::vector<Failure> failures_;
  Index made_ = 0;
};

// What the vectors of a coding depend on beside the images.
Json CodingJson(const ReadyCoding& ready, double accuracy);

// One image as stores keep it. What is wrong with it is the entry's failure, never an exception.
struct ImageRecord {
  StoreEntry entry;
  std::vector<Rows> vectors;                 // per coding, one row for each wanted choice
  std::vector<std::vector<int>> unfinished;  // per coding: UnfinishedIn()
};

// The records of dataset.images[numbers], in parallel. Every image is one more done in `progress`.
std::vector<ImageRecord> MakeImageRecords(const ReadyPlan& plan, const Dataset& dataset,
                                          std::span<const Index> numbers,
                                          const WantedPoolings& wanted, const Run& run,
                                          Progress& progress);
std::vector<StoreEntry> EntriesOf(const std::vector<ImageRecord>& records);
UnfinishedCounts UnfinishedOf(const std::vector<ImageRecord>& records, const ReadyPlan& plan,
                              const WantedPoolings& wanted);

// The numbers of a store's images among `numbers`, in order, and its failures. InvalidArgument if
// an image was replaced since its hash was taken.
struct StoredNumbers {
  std::vector<Index> images;
  std::vector<Failure> failures;
};
StoredNumbers NumbersOf(const FeatureStore& store, const Dataset& dataset,
                        const ImageHashes& hashes, const std::vector<Index>& numbers);

// InvalidArgument unless both have the same images: rows of one would be taken for those of
// another.
void RequireSame(const StoredNumbers& first, const StoredNumbers& other);

}  // namespace alcedo::reproduce
