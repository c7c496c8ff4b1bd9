// The poolings by name: the spellings of --pooling, in the order of the library's variant.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/pooling/pool.h"

namespace alcedo::cli {

// One per member of PoolingOptions; a new member without a name does not compile.
constexpr std::string_view PoolingName(const SumOptions&) { return "sum"; }
constexpr std::string_view PoolingName(const MeanOptions&) { return "mean"; }
constexpr std::string_view PoolingName(const MaxOptions&) { return "max"; }
constexpr std::string_view PoolingName(const LpOptions&) { return "lp"; }
constexpr std::string_view PoolingName(const SoftmaxOptions&) { return "softmax"; }
inline std::string_view PoolingName(const WeightedOptions&) { return "weighted"; }
constexpr std::string_view PoolingName(const GmpOptions&) { return "gmp"; }
constexpr std::string_view PoolingName(const DemocraticOptions&) { return "democratic"; }

inline std::string NameOf(const PoolingOptions& pooling) {
  return std::visit([](const auto& options) { return std::string(PoolingName(options)); }, pooling);
}

// What the flags of its fields begin with: those of GMP are the plain ones.
inline std::string FlagPrefix(const PoolingOptions& pooling) {
  return std::holds_alternative<GmpOptions>(pooling) ? "" : NameOf(pooling) + "-";
}

// Every pooling with its default options.
inline std::vector<PoolingOptions> AllPoolings() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<PoolingOptions>{PoolingOptions(std::in_place_index<I>)...};
  }(std::make_index_sequence<std::variant_size_v<PoolingOptions>>());
}

}  // namespace alcedo::cli
