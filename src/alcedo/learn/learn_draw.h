// Which rows are taken, and of which image.
#pragma once

#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo::internal {

// How many of `samples` rows image `image` of `images` gives: they are spread evenly, and sum to
// `samples`.
Index SampleQuota(Index image, Index images, Index samples);

// The numbers of `quota` rows that are not all zero, drawn without replacement (all of them if
// there are not more), in increasing order.
std::vector<Index> DrawRows(const RowsView& rows, Index quota, Rng& rng);

// Evenly spaced rows, at most `count`.
Rows Subsample(const SampleSource& samples, Index count);

}  // namespace alcedo::internal
