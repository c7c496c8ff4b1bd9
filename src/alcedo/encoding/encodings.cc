#include "alcedo/encoding/encodings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/encoding/as_operator.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {
namespace {

void RequireSize(const char* name, Index size, const char* of_what, Index expected) {
  if (size == expected) return;
  throw InvalidArgument(
      fmt::format("{} must have one value per {}, {}, got {}", name, of_what, expected, size));
}

// Says that encodings without any entry are double.
constexpr double kNoDoubles = 0;

// The largest magnitudes of doubles: the solvers form products of four values, and sums of them.
constexpr double kLargestDouble = 1e70, kSmallestDouble = 1e-70;

}  // namespace

void Encodings::Point(const double* values) { doubles_ = values == nullptr ? &kNoDoubles : values; }

template <class Array>
void Encodings::Take(Array values) {
  const auto owned = std::make_shared<const Array>(std::move(values));
  Point(owned->data());
  owned_ = owned;
  CheckValues();
}

template <class Array>
Encodings Encodings::View(const Array& rows) {
  Encodings encodings;
  encodings.SetShape(rows.rows(), rows.rows(), 1, rows.cols());
  encodings.Point(rows.data());
  encodings.CheckValues();
  return encodings;
}

template <class Scalar>
Encodings Encodings::OfSpan(std::span<const Scalar> values, Index dimension) {
  const auto size = static_cast<Index>(values.size());
  const Index num_rows = dimension > 0 ? size / dimension : 0;
  Encodings encodings;
  encodings.SetShape(num_rows, num_rows, 1, dimension);
  if (size % dimension != 0) {
    throw InvalidArgument(
        fmt::format("encodings: {} values are not whole rows of {}", size, dimension));
  }
  encodings.Point(values.data());
  encodings.CheckValues();
  return encodings;
}

template <class Array>
Encodings Encodings::Own(Array values, std::vector<std::int32_t> blocks, Index num_blocks) {
  Encodings encodings;
  encodings.SetShape(values.rows(), values.rows(), num_blocks, values.cols());
  encodings.SetBlocks(std::move(blocks));
  encodings.Take(std::move(values));
  return encodings;
}

template <class Array>
Encodings Encodings::Own(Array values, std::vector<std::int32_t> blocks, std::vector<Index> offsets,
                         Index num_blocks) {
  Encodings encodings;
  encodings.SetShape(static_cast<Index>(offsets.size()) - 1, values.rows(), num_blocks,
                     values.cols());
  encodings.SetOffsets(std::move(offsets));
  encodings.SetBlocks(std::move(blocks));
  encodings.Take(std::move(values));
  return encodings;
}

Encodings Encodings::Dense(Rows rows) {
  std::vector<std::int32_t> blocks(static_cast<std::size_t>(rows.rows()), 0);
  return Own(std::move(rows), std::move(blocks), 1);
}
Encodings Encodings::Dense(Matrix rows) {
  std::vector<std::int32_t> blocks(static_cast<std::size_t>(rows.rows()), 0);
  return Own(std::move(rows), std::move(blocks), 1);
}

Encodings Encodings::DenseView(const Rows& rows) { return View(rows); }
Encodings Encodings::DenseView(const Matrix& rows) { return View(rows); }

Encodings Encodings::DenseView(std::span<const float> values, Index dimension) {
  return OfSpan(values, dimension);
}
Encodings Encodings::DenseView(std::span<const double> values, Index dimension) {
  return OfSpan(values, dimension);
}

Encodings Encodings::OneBlockPerRow(Rows values, std::vector<std::int32_t> blocks,
                                    Index num_blocks) {
  return Own(std::move(values), std::move(blocks), num_blocks);
}
Encodings Encodings::OneBlockPerRow(Matrix values, std::vector<std::int32_t> blocks,
                                    Index num_blocks) {
  return Own(std::move(values), std::move(blocks), num_blocks);
}

Encodings Encodings::SeveralBlocksPerRow(Rows values, std::vector<std::int32_t> blocks,
                                         std::vector<Index> offsets, Index num_blocks) {
  return Own(std::move(values), std::move(blocks), std::move(offsets), num_blocks);
}
Encodings Encodings::SeveralBlocksPerRow(Matrix values, std::vector<std::int32_t> blocks,
                                         std::vector<Index> offsets, Index num_blocks) {
  return Own(std::move(values), std::move(blocks), std::move(offsets), num_blocks);
}

void Encodings::SetShape(Index num_rows, Index num_entries, Index num_blocks, Index block_size) {
  if (num_rows < 0) {
    throw InvalidArgument(
        "encodings: offsets must hold one value more than there are rows, got none");
  }
  if (num_blocks < 1) {
    throw InvalidArgument(fmt::format("encodings: num_blocks must be >= 1, got {}", num_blocks));
  }
  if (block_size < 1) {
    throw InvalidArgument(
        fmt::format("encodings: rows must have at least one column, got {}", block_size));
  }
  if (num_blocks > std::numeric_limits<Index>::max() / block_size) {
    throw InvalidArgument(fmt::format("encodings: {} blocks of size {} are too many dimensions",
                                      num_blocks, block_size));
  }
  num_rows_ = num_rows;
  num_entries_ = num_entries;
  num_blocks_ = num_blocks;
  block_size_ = block_size;
}

void Encodings::SetOffsets(std::vector<Index> offsets) {
  if (offsets.front() != 0 || offsets.back() != num_entries_) {
    throw InvalidArgument(
        fmt::format("encodings: offsets must go from 0 to the number of entries, {}, got {} to {}",
                    num_entries_, offsets.front(), offsets.back()));
  }
  bool one_entry_each = true;
  for (Index n = 0; n < num_rows_; ++n) {
    if (offsets[n] > offsets[n + 1]) {
      throw InvalidArgument(
          fmt::format("encodings: offsets must not decrease, got {} after {} at row {}",
                      offsets[n + 1], offsets[n], n));
    }
    one_entry_each &= offsets[n] + 1 == offsets[n + 1];
  }
  // Without offsets the encodings count as one block per row, which opens the fast ways.
  if (!one_entry_each) offsets_ = std::move(offsets);
}

void Encodings::SetBlocks(std::vector<std::int32_t> blocks) {
  if (static_cast<Index>(blocks.size()) != num_entries_) {
    throw InvalidArgument(fmt::format("encodings: there must be one block per entry, {}, got {}",
                                      num_entries_, blocks.size()));
  }
  for (Index e = 0; e < num_entries_; ++e) {
    if (blocks[e] < 0 || blocks[e] >= num_blocks_) {
      throw InvalidArgument(fmt::format("encodings: the block of row {} must be in [0, {}), got {}",
                                        RowOf(e), num_blocks_, blocks[e]));
    }
  }
  std::vector<std::int32_t> sorted;
  for (Index n = 0; !offsets_.empty() && n < num_rows_; ++n) {
    sorted.assign(blocks.begin() + offsets_[n], blocks.begin() + offsets_[n + 1]);
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw InvalidArgument(
          fmt::format("encodings: row {} holds block {} more than once", n, *twice));
    }
  }
  if (num_blocks_ > 1) blocks_ = std::move(blocks);
}

Index Encodings::RowOf(Index entry) const {
  if (offsets_.empty()) return entry;
  return std::upper_bound(offsets_.begin(), offsets_.end(), entry) - offsets_.begin() - 1;
}

void Encodings::CheckValues() {
  const Index size = num_entries_ * block_size_;
  squared_norm_ =
      WithValues([&](const auto* values) { return kernels::SquaredNorm(values, size); });
  if (!is_double()) {
    if (!std::isfinite(squared_norm_)) ThrowFirstBadValue();
    return;
  }
  double largest = 0;
  for (Index i = 0; i < size; ++i) {
    const double magnitude = std::abs(doubles_[i]);
    if (!(magnitude <= kLargestDouble)) ThrowFirstBadValue();
    largest = std::max(largest, magnitude);
  }
  if (largest > 0 && largest < kSmallestDouble) {
    throw InvalidArgument(
        fmt::format("encodings: the largest magnitude is {}, and doubles need one of {} or more: "
                    "multiply them by a power of 10",
                    largest, kSmallestDouble));
  }
}

void Encodings::ThrowFirstBadValue() const {
  const Index size = num_entries_ * block_size_;
  WithValues([&](const auto* values) {
    const double limit = is_double() ? kLargestDouble : std::numeric_limits<float>::max();
    const auto* bad = std::find_if_not(
        values, values + size, [&](double x) { return std::abs(x) <= limit; });  // false for NaN
    const Index entry = (bad - values) / block_size_;
    const std::string block = num_blocks_ > 1 ? fmt::format(", block {}", Block(entry)) : "";
    const std::string what = std::isnan(*bad)   ? "NaN"
                             : std::isinf(*bad) ? "infinite"
                                                : fmt::format("{}, beyond {}", *bad, limit);
    throw InvalidArgument(fmt::format("encodings: row {}{}, column {} is {}", RowOf(entry), block,
                                      (bad - values) % block_size_, what));
  });
  throw InvalidArgument("encodings: a value is not finite");  // for the compiler: it threw above
}

Rows Encodings::ToDense() const {
  Rows dense = Rows::Zero(num_rows_, dimension());
  WithValues([&](const auto* values) {
    for (Index n = 0; n < num_rows_; ++n) {
      for (Index e = EntryBegin(n); e < EntryBegin(n + 1); ++e) {
        std::copy_n(values + e * block_size_, block_size_,
                    dense.row(n).data() + Block(e) * block_size_);
      }
    }
  });
  return dense;
}

Encodings Encodings::Select(std::span<const Index> rows) const {
  const auto count = static_cast<Index>(rows.size());
  bool all_in_order = count == num_rows_;
  std::vector<Index> offsets{0};
  offsets.reserve(rows.size() + 1);
  for (Index i = 0; i < count; ++i) {
    if (rows[i] < 0 || rows[i] >= num_rows_) {
      throw InvalidArgument(fmt::format(
          "encodings: the row numbers to select must be in [0, {}), got {}", num_rows_, rows[i]));
    }
    all_in_order &= rows[i] == i;
    offsets.push_back(offsets.back() + EntryBegin(rows[i] + 1) - EntryBegin(rows[i]));
  }
  if (all_in_order) return *this;
  std::vector<std::int32_t> blocks(static_cast<std::size_t>(offsets.back()), 0);
  for (Index i = 0; i < count; ++i) {
    const Index first = EntryBegin(rows[i]), size = offsets[i + 1] - offsets[i];
    if (!blocks_.empty()) std::copy_n(blocks_.begin() + first, size, blocks.begin() + offsets[i]);
  }
  return WithValues([&]<class Scalar>(const Scalar* from) {
    OwnedArray<Scalar, 2> values(offsets.back(), block_size_);
    for (Index i = 0; i < count; ++i) {
      std::copy_n(from + EntryBegin(rows[i]) * block_size_,
                  (offsets[i + 1] - offsets[i]) * block_size_,
                  values.data() + offsets[i] * block_size_);
    }
    // Rows of one entry are found to be such, as in every construction.
    return SeveralBlocksPerRow(std::move(values), std::move(blocks), std::move(offsets),
                               num_blocks_);
  });
}

Vector Similarities(const Encodings& encodings, const VectorView& phi, int threads) {
  RequireSize("Similarities phi", phi.size(), "dimension", encodings.dimension());
  Vector similarities(encodings.num_rows());
  AsOperator(encodings, threads).Similarities(phi.data(), similarities.data());
  return similarities;
}

Vector WeightedSum(const Encodings& encodings, const VectorView& weights, int threads) {
  RequireSize("WeightedSum weights", weights.size(), "row", encodings.num_rows());
  Vector sum(encodings.dimension());
  AsOperator(encodings, threads).WeightedSum(weights.data(), sum.data());
  return sum;
}

}  // namespace alcedo
