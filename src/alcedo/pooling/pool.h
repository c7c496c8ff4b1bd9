// Every pooling behind one call.
#pragma once

#include <variant>

#include "alcedo/pooling/accumulator.h"
#include "alcedo/pooling/democratic.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"

namespace alcedo {

struct SumOptions {};
struct MeanOptions {};
struct MaxOptions {};
struct WeightedOptions {
  Vector weights;  // size N
};

// A closed set: a new member is a compile error wherever it must be handled.
using PoolingOptions = std::variant<SumOptions, MeanOptions, MaxOptions, LpOptions, SoftmaxOptions,
                                    WeightedOptions, GmpOptions, DemocraticOptions>;

struct PoolResult {
  Vector phi;          // size D
  SolveReport report;  // for GMP and democratic pooling; default otherwise
};
PoolResult Pool(const Encodings& encodings, const PoolingOptions& options);

}  // namespace alcedo
