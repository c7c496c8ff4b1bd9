// Sums over samples that several processes ("ranks") hold, each its own: what training needs of
// MPI, or of anything else that can add up arrays.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo {

// What has a number (an input, a shard of a feature store) belongs to the process `rank` if it is
// `rank` modulo `ranks`.
struct Share {
  Index rank = 0;
  Index ranks = 1;

  bool Has(Index number) const { return number % ranks == rank; }
};

// One process among several.
struct Ranks {
  int rank = 0;   // of this process, in [0, count)
  int count = 1;  // of processes
  // Replaces the values by their sums over all ranks, the same bytes on every rank. All ranks call
  // it equally often, with equal sizes; the order in which it adds does not matter, since values
  // that are to be added in order come with zeros from all ranks but one. Required if count > 1.
  std::function<void(std::span<double>)> all_reduce = nullptr;
};

// The samples of all ranks as one sequence: those of rank 0, then those of rank 1, ... A rank may
// have none, but all must have the same dimension. The functions that are marked "collective" are
// called by all ranks.
class RankedSamples {
 public:
  // Borrows the samples of the only rank.
  RankedSamples(const SampleSource& own);  // NOLINT(google-explicit-constructor): the usual case
  // Collective. Borrows samples and ranks.
  RankedSamples(const SampleSource& own, const Ranks& ranks);

  const SampleSource& own() const { return *own_; }
  Index rows() const { return begins_.back(); }  // of all ranks
  Index dimension() const { return own_->dimension(); }
  Index first() const { return begins_[rank()]; }  // the number of the first own row
  bool alone() const { return begins_.size() == 2; }
  int rank() const { return ranks_ == nullptr ? 0 : ranks_->rank; }
  int count() const { return static_cast<int>(begins_.size()) - 1; }

  // Whether every rank's first row has a number that is a multiple of `grain`.
  bool Aligned(Index grain) const;

  // Collective: the rows of these numbers, in that order.
  Rows Fetch(std::span<const Index> numbers) const;
  // Collective: the values of all ranks, of equal size, by rank.
  std::vector<double> Gather(std::span<const double> values) const;
  // Collective: replaces the values by their sums.
  void Reduce(std::span<double> values) const;
  // Collective: runs the action, which is not collective. If it throws on one rank, all throw.
  void Together(const std::function<void()>& action) const;

 private:
  const SampleSource* own_;
  const Ranks* ranks_ = nullptr;
  std::vector<Index> begins_;  // of every rank, and the end
};

// Sufficient statistics are values with Add(), which merges others of the same shape, and
// VisitValues(visit), which calls visit(std::span<double>) for all their numbers: they can be sent.
template <class Sums>
std::vector<double> ToValues(Sums sums) {
  std::size_t size = 0;
  sums.VisitValues([&](std::span<double> part) { size += part.size(); });
  std::vector<double> values(size);
  auto to = values.begin();
  sums.VisitValues([&](std::span<double> part) { to = std::copy(part.begin(), part.end(), to); });
  return values;
}
// `sums` must have the shape that the values come from.
template <class Sums>
void SetValues(Sums& sums, std::span<const double> values) {
  sums.VisitValues([&](std::span<double> part) {
    std::copy_n(values.begin(), part.size(), part.begin());
    values = values.subspan(part.size());
  });
}

// Collective: of_piece(begin, count, sums) adds `count` of the own rows to sums, which are `zero`
// before, and the sums of all pieces are added in their order. `wave` pieces are kept at a time.
//
// Pieces have `grain` rows. If every rank's first row has a number that is a multiple of `grain`,
// and the sums are not very many, the result has the bytes that one process would get from all
// rows. Otherwise the pieces of a rank have `own_grain` rows and are added first: the result then
// differs in rounding, but is still the same on all ranks.
template <class Sums, class OfPiece>
Sums SumInOrder(const RankedSamples& samples, Index grain, Index own_grain, Index wave,
                const Sums& zero, int threads, const OfPiece& of_piece) {
  constexpr double kMostBytes = 256 << 20;
  const std::vector<double> zeros = samples.alone() ? std::vector<double>() : ToValues(zero);
  const Index all_pieces = (samples.rows() + grain - 1) / grain;
  const bool piecewise =
      !samples.alone() && samples.Aligned(grain) &&
      static_cast<double>(zeros.size() * sizeof(double)) * static_cast<double>(all_pieces) <=
          kMostBytes;
  const Index rows = samples.own().rows();
  const Index size = samples.alone() || piecewise ? grain : own_grain;
  const Index pieces = (rows + size - 1) / size;

  Sums total = zero;
  std::vector<std::vector<double>> own;  // to be added in order with those of the other ranks
  samples.Together([&] {
    std::vector<Sums> parts(std::min(wave, pieces));
    for (Index first = 0; first < pieces; first += wave) {
      const Index some = std::min(wave, pieces - first);
      ParallelFor(some, threads, [&](Index i) {
        const Index begin = (first + i) * size;
        Sums part = zero;
        of_piece(begin, std::min(size, rows - begin), part);
        parts[i] = std::move(part);
      });
      for (Index i = 0; i < some; ++i) {
        if (piecewise) {
          own.push_back(ToValues(std::move(parts[i])));
        } else {
          total.Add(parts[i]);
        }
      }
    }
  });
  if (samples.alone()) return total;

  if (!piecewise) own.push_back(ToValues(std::move(total)));
  const Index first = piecewise ? samples.first() / grain : samples.rank();
  total = zero;
  Sums part = zero;
  std::vector<double> values;
  for (Index piece = 0; piece < (piecewise ? all_pieces : samples.count()); ++piece) {
    const bool is_own = piece >= first && piece < first + static_cast<Index>(own.size());
    values = is_own ? own[piece - first] : zeros;
    samples.Reduce(values);
    SetValues(part, values);
    total.Add(part);
  }
  return total;
}

}  // namespace alcedo
