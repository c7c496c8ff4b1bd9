#include "alcedo/pooling/pool.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

// The poolings that solve nothing.
struct ElementaryPooler {
  const Encodings& encodings;

  Vector operator()(const SumOptions&) const { return PoolSum(encodings); }
  Vector operator()(const MeanOptions&) const { return PoolMean(encodings); }
  Vector operator()(const MaxOptions&) const { return PoolMax(encodings); }
  Vector operator()(const LpOptions& o) const { return PoolLp(encodings, o); }
  Vector operator()(const SoftmaxOptions& o) const { return PoolSoftmax(encodings, o); }
  Vector operator()(const WeightedOptions& o) const {
    if (o.weights.size() != encodings.num_rows()) {
      throw InvalidArgument("weighted.weights",
                            fmt::format("must have one value per row, {}", encodings.num_rows()),
                            fmt::format("{}", o.weights.size()));
    }
    Check(o);
    return WeightedSum(encodings, o.weights);
  }
};

// The members of one kind, and which rows of the result they are.
template <class Options>
struct Members {
  std::vector<Options> options;
  std::vector<std::size_t> rows;

  void Add(Options member, std::size_t row, std::optional<int> threads) {
    if (threads) member.threads = *threads;
    options.push_back(std::move(member));
    rows.push_back(row);
  }
};

}  // namespace

void Check(const WeightedOptions& options) {
  for (Index n = 0; n < options.weights.size(); ++n) {
    if (std::isfinite(options.weights[n])) continue;
    throw InvalidArgument("weighted.weights", "must be finite",
                          fmt::format("{} for row {}", options.weights[n], n));
  }
}

namespace {

// Options without a Check() of their own would become PoolingOptions, and Check() call itself.
template <class Options>
constexpr bool kHasOwnCheck = requires { static_cast<void (*)(const Options&)>(&Check); };

}  // namespace

void Check(const PoolingOptions& options) {
  std::visit(
      []<class Options>(const Options& o) {
        if constexpr (!std::is_empty_v<Options>) {
          static_assert(kHasOwnCheck<Options>, "options with fields need Check()");
          Check(o);
        }
      },
      options);
}

PoolResult Pool(const Encodings& encodings, const PoolingOptions& options) {
  PooledMany many = PoolMany(encodings, std::span(&options, 1));
  return {many.phi.row(0).transpose(), std::move(many.reports[0])};
}

PooledMany PoolMany(const Encodings& encodings, std::span<const PoolingOptions> poolings,
                    std::optional<int> threads) {
  PooledMany all;
  all.phi.resize(static_cast<Index>(poolings.size()), encodings.dimension());
  all.reports.resize(poolings.size());
  Members<GmpOptions> gmp;
  Members<DemocraticOptions> democratic;
  for (std::size_t i = 0; i < poolings.size(); ++i) {
    std::visit(Overloaded{[&](const GmpOptions& o) { gmp.Add(o, i, threads); },
                          [&](const DemocraticOptions& o) { democratic.Add(o, i, threads); },
                          [&](const auto& o) {
                            all.phi.row(static_cast<Index>(i)) = ElementaryPooler{encodings}(o);
                          }},
               poolings[i]);
  }
  GmpPath path = PoolGmpPath(encodings, gmp.options);
  for (std::size_t k = 0; k < gmp.rows.size(); ++k) {
    all.phi.row(static_cast<Index>(gmp.rows[k])) = path.phi.row(static_cast<Index>(k));
    all.reports[gmp.rows[k]] = std::move(path.reports[k]);
  }
  std::vector<WeightsResult> weights = DemocraticPath(encodings, democratic.options);
  for (std::size_t k = 0; k < democratic.rows.size(); ++k) {
    all.phi.row(static_cast<Index>(democratic.rows[k])) =
        WeightedSum(encodings, weights[k].weights, democratic.options[k].threads);
    all.reports[democratic.rows[k]] = std::move(weights[k].report);
  }
  return all;
}

}  // namespace alcedo
