// Every pooling behind one call.
#pragma once

#include <variant>

#include "alcedo/base/choice.h"
#include "alcedo/base/types.h"
#include "alcedo/pooling/accumulator.h"
#include "alcedo/pooling/democratic.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"

namespace alcedo {

struct SumOptions {
  static constexpr Label kLabel{.name = "sum", .title = "sum", .color = 6, .power_color = 1};
};
struct MeanOptions {
  static constexpr Label kLabel{.name = "mean", .title = "mean", .color = 10, .power_color = 11};
};
struct MaxOptions {
  static constexpr Label kLabel{.name = "max", .title = "max", .color = 4, .power_color = 7};
};
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
