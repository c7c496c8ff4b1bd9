// Section 5 of the paper: its tables and what lies beyond them, on one dataset after the other.
#pragma once

#include <span>

#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/report/results.h"
#include "alcedo/reproduce/reproduce_options.h"
#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {

struct ReproduceRun : Run {
  Maker maker = {};           // for the results
  bool keep_vectors = false;  // do not remove the vectors of the training images when they are used
  // After every dataset, with what there is so far. May be empty.
  std::function<void(const report::Results&)> results = {};
};

// All intermediate files are in run.work, a folder per dataset and seed; what is there is not made
// again. A work folder of other options or other images is an InvalidArgument.
//
// Memory: the vectors of 32 images, and twice the vectors of one choice of all training images
// (n x D floats), beside the models.
report::Results Reproduce(std::span<const Dataset> datasets, const ReproduceOptions& options,
                          const ReproduceRun& run);

// The part of a dataset that --lite looks at: 20 classes, evenly spaced (of multi-label sets all),
// and at most 20 images of each in every split.
Dataset LiteDataset(const Dataset& dataset);

}  // namespace alcedo::reproduce
