#include "alcedo/base/ranks.h"

#include <fmt/format.h>

#include <exception>

#include "alcedo/base/error.h"

namespace alcedo {

RankedSamples::RankedSamples(const SampleSource& own) : own_(&own), begins_{0, own.rows()} {}

RankedSamples::RankedSamples(const SampleSource& own, const Ranks& ranks)
    : own_(&own), ranks_(&ranks), begins_(2, 0) {
  Require(ranks.count >= 1, "ranks.count", ">= 1", ranks.count);
  Require(ranks.rank >= 0 && ranks.rank < ranks.count, "ranks.rank",
          fmt::format("from 0 to {}", ranks.count - 1), ranks.rank);
  if (ranks.count == 1) {
    begins_[1] = own.rows();
    return;
  }
  if (!ranks.all_reduce) throw InvalidArgument("ranks.all_reduce", "must be set", "");
  begins_.assign(ranks.count + 1, 0);
  const double shape[] = {static_cast<double>(own.rows()), static_cast<double>(own.dimension())};
  const std::vector<double> shapes = Gather(shape);
  for (Index rank = 0; rank < ranks.count; ++rank) {
    begins_[rank + 1] = begins_[rank] + static_cast<Index>(shapes[2 * rank]);
    if (shapes[2 * rank + 1] == shapes[1]) continue;
    throw InvalidArgument(
        fmt::format("the samples of all ranks must have one dimension, got {} of rank 0 and {} of "
                    "rank {}",
                    shapes[1], shapes[2 * rank + 1], rank));
  }
}

bool RankedSamples::Aligned(Index grain) const {
  return std::all_of(begins_.begin(), begins_.end() - 1,
                     [&](Index begin) { return begin % grain == 0 || begin == rows(); });
}

Rows RankedSamples::Fetch(std::span<const Index> numbers) const {
  const Index d = dimension(), end = first() + own_->rows();
  Rows rows = Rows::Zero(static_cast<Index>(numbers.size()), d), scratch;
  Together([&] {
    for (Index i = 0; i < rows.rows(); ++i) {
      if (numbers[i] < first() || numbers[i] >= end) continue;
      std::copy_n(own_->Chunk(numbers[i] - first(), 1, scratch), d, rows.row(i).data());
    }
  });
  if (alone()) return rows;
  Matrix values = rows.cast<double>();
  Reduce({values.data(), static_cast<std::size_t>(values.size())});
  return values.cast<float>();
}

std::vector<double> RankedSamples::Gather(std::span<const double> values) const {
  std::vector<double> all(values.size() * count(), 0.0);
  std::copy(values.begin(), values.end(), all.begin() + rank() * values.size());
  Reduce(all);
  return all;
}

void RankedSamples::Reduce(std::span<double> values) const {
  if (!alone()) ranks_->all_reduce(values);
}

void RankedSamples::Together(const std::function<void()>& action) const {
  if (alone()) return action();
  std::exception_ptr failure;
  try {
    action();
  } catch (...) {
    failure = std::current_exception();
  }
  const double failed[] = {failure == nullptr ? 0.0 : 1.0};
  const std::vector<double> all = Gather(failed);
  if (failure != nullptr) std::rethrow_exception(failure);
  const auto bad = std::find(all.begin(), all.end(), 1.0);
  if (bad == all.end()) return;
  throw Error(fmt::format("rank {} of {} could not use its samples", bad - all.begin(), count()));
}

}  // namespace alcedo
