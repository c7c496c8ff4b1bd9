// The start of k-means.
#pragma once

#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo {

// k-means++ (Arthur and Vassilvitskii 2007) on a sample of max(16384, 16 clusters) rows, all of
// them where there are no more: the first centre at random, every further one with a probability in
// proportion to the squared distance to the nearest so far. The sample takes one row at random from
// each of as many equal stretches. Where the sample has fewer distinct rows than clusters, the last
// centres repeat the first one.
//
// `largest` is the largest magnitude among the values.
Rows SeedCenters(const SampleSource& samples, Index clusters, double largest, Rng& rng,
                 int threads);

}  // namespace alcedo
