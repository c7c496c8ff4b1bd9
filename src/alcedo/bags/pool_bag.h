// Pools one bag, with several lambdas, weights of the patches and normalisation.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/pool.h"

namespace alcedo {

struct BagPooling {
  PoolingOptions pooling = GmpOptions{};
  std::vector<double> lambdas = {GmpOptions{}.lambda};  // of GMP; one for all other poolings
  bool nonnegative = false;                             // GMP with weights >= 0

  std::optional<double> power;  // then block_l2, then l2
  bool block_l2 = false;
  bool l2 = false;

  std::string_view name() const;  // of the pooling
};

// "gmp"
std::string_view PoolingName(const PoolingOptions& pooling);

// Throws InvalidArgument if no bag can be pooled like this.
void Check(const BagPooling& pooling);

struct PooledBag {
  Matrix phi;                                // one row per lambda, normalised
  Matrix weights;                            // one row per lambda; empty unless asked for
  std::vector<SolveReport> reports;          // of phi, one per lambda; GMP and democratic pooling
  std::vector<SolveReport> weights_reports;  // of weights solved for on their own
};

struct PoolBagRun {
  bool weights = false;  // whether the weights of the patches are wanted (gmp, democratic)
  int threads = 1;
};

// `input_weights` are those of weighted pooling, empty otherwise.
PooledBag PoolBag(const Encodings& encodings, const BagPooling& pooling,
                  const Vector& input_weights, const PoolBagRun& run = {});

}  // namespace alcedo
