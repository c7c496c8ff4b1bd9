// Every pooling behind one call.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

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
void Check(const WeightedOptions& options);  // finite weights

// The poolings that need nothing but the encodings: the one list. A new member is a compile error
// wherever it must be handled.
using PoolingChoice = Choice<SumOptions, MeanOptions, MaxOptions, LpOptions, SoftmaxOptions,
                             GmpOptions, DemocraticOptions>;

template <class Variant, class... More>
struct Extended;
template <class... Members, class... More>
struct Extended<std::variant<Members...>, More...> {
  using type = std::variant<Members..., More...>;
};
// And the one that needs weights.
using PoolingOptions = Extended<PoolingChoice::Variant, WeightedOptions>::type;

struct PoolResult {
  Vector phi;          // size D
  SolveReport report;  // for GMP and democratic pooling; default otherwise
};
PoolResult Pool(const Encodings& encodings, const PoolingOptions& options);

struct PooledMany {
  Matrix phi;                        // one row per pooling, in the order given
  std::vector<SolveReport> reports;  // one per pooling; that of an elementary one has no solver
};
// Several poolings of the same rows. All GMP members share one solve and all democratic members
// their kernels, as in PoolGmpPath() and DemocraticPath(). Every row is that of Pool(), to the
// accuracy of the solver if it was shared and to the bit otherwise. `threads`, if given, holds in
// place of the options' own.
PooledMany PoolMany(const Encodings& encodings, std::span<const PoolingOptions> poolings,
                    std::optional<int> threads = std::nullopt);

// Throws InvalidArgument for options outside their range.
void Check(const PoolingOptions& options);

}  // namespace alcedo
