// Pools one bag.
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/cli/pool_job.h"
#include "alcedo/encoding/encodings.h"

namespace alcedo::cli {

struct PooledBag {
  Matrix phi;                                // one row per lambda, normalised
  Matrix weights;                            // one row per lambda; empty unless asked for
  std::vector<SolveReport> reports;          // of phi, one per lambda; GMP and democratic pooling
  std::vector<SolveReport> weights_reports;  // of weights solved for on their own
};

// `input_weights` are those of weighted pooling, empty otherwise.
PooledBag PoolBag(const Encodings& encodings, const PoolJob& job, const Vector& input_weights,
                  int threads);

// Throws InvalidArgument for options that no bag can be pooled with, before any file is touched.
void CheckPoolable(const PoolJob& job);

}  // namespace alcedo::cli
