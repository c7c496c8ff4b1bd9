// Checks of training rows that k-means and mixtures share.
#pragma once

#include <string_view>

#include "alcedo/base/sample_source.h"
#include "alcedo/base/index.h"

namespace alcedo {

// Throws InvalidArgument naming the first row and column (rows counted from `first_row`) of a value
// that is not finite, if there is one. `name` says what the rows are.
void RequireFinite(const float* rows, Index count, Index dimension, Index first_row,
                   std::string_view name);

// Requires at least one sample and one dimension, all values finite. Returns the largest magnitude.
// Reads the samples once.
double CheckSamples(const SampleSource& samples, std::string_view name, int threads);

// How a pass over samples is split: shards run in parallel, each keeps its own sums, which are
// added in order; a shard reads its rows chunk by chunk. Depends on sizes alone, so that no result
// depends on the number of threads.
struct Shards {
  // `bytes` is what the sums of one shard take; a chunk of rows takes about 128 KB.
  Shards(Index rows, Index dimension, double bytes);

  Index rows, chunk, per_shard, count;

  // Calls body(first_row, rows) for the chunks of one shard.
  template <class Body>
  void ForEachChunk(Index shard, Body&& body) const {
    const Index end = std::min(rows, (shard + 1) * per_shard);
    for (Index begin = shard * per_shard; begin < end; begin += chunk) {
      body(begin, std::min(chunk, end - begin));
    }
  }
};

}  // namespace alcedo
