// Checks of training rows that k-means and mixtures share, and how passes over them are split.
// Private to this module.
#pragma once

#include <string_view>

#include "alcedo/base/index.h"
#include "alcedo/base/ranks.h"

namespace alcedo {

// Throws InvalidArgument naming the first row and column (rows counted from `first_row`) of a value
// that is not finite, if there is one. `name` says what the rows are.
void RequireFinite(const float* rows, Index count, Index dimension, Index first_row,
                   std::string_view name);

// Collective. Requires at least one sample and one dimension, all values finite. Returns the
// largest magnitude. Reads the samples once.
double CheckSamples(const RankedSamples& samples, std::string_view name, int threads);

// How a pass over samples is split: shards run in parallel, each keeps its own sums, which are
// added in order; a shard reads its rows chunk by chunk. Depends on sizes alone, so that no result
// depends on the number of threads.
struct Shards {
  // `bytes` is what the sums of one shard take; a chunk of rows takes about 128 KB.
  Shards(Index rows, Index dimension, double bytes);

  Index rows, chunk, per_shard, count;

  Index Begin(Index shard) const { return shard * per_shard; }
  Index Size(Index shard) const { return std::min(per_shard, rows - Begin(shard)); }
  // Calls body(first_row, rows) for the chunks of `size` rows from `begin` on.
  template <class Body>
  void ForEachChunk(Index begin, Index size, Body&& body) const {
    for (Index done = 0; done < size; done += chunk) {
      body(begin + done, std::min(chunk, size - done));
    }
  }
};

// Collective: of_shard(begin, count, shards, sums) adds the own rows of one shard to `sums`; what
// all shards give is added in order. `bytes` as above.
template <class Sums, class OfShard>
Sums SumShards(const RankedSamples& samples, double bytes, const Sums& zero, int threads,
               const OfShard& of_shard) {
  constexpr Index kMostShards = 64;
  const Shards all(samples.rows(), samples.dimension(), bytes);
  const Shards own(samples.own().rows(), samples.dimension(), bytes);
  return SumInOrder(
      samples, all.per_shard, own.per_shard, kMostShards, zero, threads,
      [&](Index begin, Index count, Sums& sums) { of_shard(begin, count, own, sums); });
}

}  // namespace alcedo
