// The descriptors to learn from, out of all images.
#pragma once

#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/learn/learn.h"
#include "alcedo/learn/learn_work_folder.h"

namespace alcedo::internal {

// How many of `samples` rows image `image` of `images` gives: they are spread evenly, and sum to
// `samples`.
Index SampleQuota(Index image, Index images, Index samples);

// The numbers of `quota` rows that are not all zero, drawn without replacement (all of them if
// there are not more), in increasing order.
std::vector<Index> DrawRows(const RowsView& rows, Index quota, Rng& rng);

// Evenly spaced rows, at most `count`.
Rows Subsample(const SampleSource& samples, Index count);

// What is drawn for one vocabulary, and where it is kept.
struct SamplingTask {
  const LearnConfig& config;
  WorkFolder& folder;
};

// Works until the journals of all folders have come to the last image; every image is read and
// decoded once for all tasks. Memory is that of one image per thread and of the samples of a group
// of images, whatever their number.
void SampleImages(const std::vector<Input>& inputs, const std::vector<SamplingTask>& tasks,
                  const LearnRun& run);

// The bad images so far. They are always read from the folder, so that a run that was interrupted
// lists what an undisturbed one does.
std::vector<Failure> ReadFailures(const std::vector<Input>& inputs, const WorkFolder& folder);

}  // namespace alcedo::internal
