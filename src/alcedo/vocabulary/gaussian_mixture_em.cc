#include "alcedo/vocabulary/gaussian_mixture_em.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/distance_kernels.h"
#include "alcedo/vocabulary/center_tables.h"
#include "alcedo/vocabulary/gaussian_mixture_tables.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {
namespace {

// Rows whose posteriors are kept until they are added up: the more, the fewer passes over the sums.
constexpr Index kRows = 192;

MixtureSums ZeroSums(const GaussianMixture& mixture, const std::vector<float>& scale) {
  const Index size = mixture.size(), dimension = mixture.dimension();
  return {Vector::Zero(size), Matrix::Zero(size, dimension), Matrix::Zero(size, dimension), 0,
          scale};
}

Rows Scaled(const float* rows, Index count, const std::vector<float>& scale) {
  const auto dimension = static_cast<Index>(scale.size());
  const Eigen::Map<const Eigen::RowVectorXf> factors(scale.data(), dimension);
  return Eigen::Map<const EigenRows>(rows, count, dimension).array().rowwise() * factors.array();
}

// Four sums at a time: one alone would wait for itself.
double SumOfWeights(const kernels::WeightedRow* entries, Index count) {
  double a = 0, b = 0, c = 0, d = 0;
  Index i = 0;
  for (; i + 4 <= count; i += 4) {
    a += static_cast<double>(entries[i].weight);
    b += static_cast<double>(entries[i + 1].weight);
    c += static_cast<double>(entries[i + 2].weight);
    d += static_cast<double>(entries[i + 3].weight);
  }
  for (; i < count; ++i) a += static_cast<double>(entries[i].weight);
  return (a + b) + (c + d);
}

// The posteriors of a chunk of rows, kept by Gaussian, so that the sums of one stay in registers
// while its rows go by.
class ChunkPosteriors {
 public:
  ChunkPosteriors(const GaussianMixture& mixture, const std::vector<float>& scale, Index rows)
      : scale_(scale),
        means_(Scaled(mixture.means.data(), mixture.size(), scale)),
        capacity_(rows),
        entries_(mixture.size() * rows) {
    for (Index k = 0; k < mixture.size(); ++k) end_.push_back(entries_.data() + k * capacity_);
  }

  void Add(std::int32_t gaussian, Index row, float posterior) {
    *end_[gaussian]++ = {static_cast<std::int32_t>(row), posterior};
  }

  // Adds what is there to the sums, and forgets it.
  void MoveTo(const float* rows, Index count, MixtureSums& sums) {
    const Rows scaled = Scaled(rows, count, scale_);
    for (Index k = 0; k < means_.rows(); ++k) {
      kernels::WeightedRow* begin = entries_.data() + k * capacity_;
      const Index size = end_[k] - begin;
      sums.counts[k] += SumOfWeights(begin, size);
      kernels::AddMoments(scaled.data(), means_.cols(), begin, size, means_.row(k).data(),
                          sums.first.row(k).data(), sums.second.row(k).data());
      end_[k] = begin;
    }
  }

 private:
  const std::vector<float>& scale_;
  Rows means_;
  Index capacity_;
  std::vector<kernels::WeightedRow> entries_;  // capacity_ for every Gaussian
  std::vector<kernels::WeightedRow*> end_;     // of the entries there are
};

// One entry in double: for rows so far away that squares leave the range of float.
void AddFarRow(const GaussianMixture& mixture, const float* row, std::int32_t k, double posterior,
               MixtureSums& sums) {
  sums.counts[k] += posterior;
  for (Index j = 0; j < mixture.dimension(); ++j) {
    const double t = (static_cast<double>(row[j]) - mixture.means(k, j)) * sums.scale[j];
    sums.first(k, j) += posterior * t;
    sums.second(k, j) += posterior * t * t;
  }
}

// Adds up what add(rows, count, first_row, posteriors, sums) does for all chunks; make_add() gives
// every shard its own.
template <class MakeAdd>
MixtureSums SumChunks(const RankedSamples& samples, const GaussianMixture& mixture,
                      const std::vector<float>& scale, int threads, const MakeAdd& make_add) {
  const double bytes = 2.0 * sizeof(double) * static_cast<double>(mixture.means.size());
  return SumShards(samples, bytes, ZeroSums(mixture, scale), threads,
                   [&](Index first, Index rows_of_shard, const Shards& shards, MixtureSums& sums) {
                     ChunkPosteriors posteriors(mixture, scale, kRows);
                     Rows scratch;
                     auto add = make_add();
                     shards.ForEachChunk(first, rows_of_shard, [&](Index begin, Index count) {
                       const float* rows = samples.own().Chunk(begin, count, scratch);
                       for (Index done = 0; done < count; done += kRows) {
                         const Index size = std::min(kRows, count - done);
                         const float* some = rows + done * samples.dimension();
                         add(some, size, begin + done, posteriors, sums);
                         posteriors.MoveTo(some, size, sums);
                       }
                     });
                   });
}

}  // namespace

void MixtureSums::Add(const MixtureSums& other) {
  counts += other.counts;
  first += other.first;
  second += other.second;
  log_likelihood += other.log_likelihood;
}

MixtureSums SumPosteriors(const RankedSamples& samples, const GaussianMixture& mixture,
                          int threads) {
  const MixtureTables tables(mixture);
  constexpr float kThreshold = 1e-6F;
  const std::vector<float> scale(tables.scale(), tables.scale() + mixture.dimension());
  const auto make_add = [&] {
    return [&, work = MixtureTables::Work(tables, MixtureTables::Precision::kFloat)](
               const float* rows, Index count, Index begin, ChunkPosteriors& posteriors,
               MixtureSums& sums) mutable {
      tables.ForEachRow(rows, count, begin, work, [&](Index index, const float* row, Index r) {
        const auto found = tables.ToPosteriors(
            tables.Select(row, r, tables.NegligibleRange(), work), kThreshold, work);
        sums.log_likelihood += found.log_likelihood;
        const bool far = !tables.Usable(work, r);
        for (Index i = 0; i < found.count; ++i) {
          if (far) {
            AddFarRow(mixture, row, work.selected[i], work.values[i], sums);
          } else {
            posteriors.Add(work.selected[i], index, work.values[i]);
          }
        }
      });
    };
  };
  return SumChunks(samples, mixture, scale, threads, make_add);
}

MixtureSums SumNearest(const RankedSamples& samples, const GaussianMixture& mixture, int threads) {
  const CenterTables nearest(mixture.means);
  std::vector<float> scale(mixture.dimension());
  for (Index j = 0; j < mixture.dimension(); ++j) {
    scale[j] = kernels::InverseScale(std::sqrt(static_cast<double>(mixture.variances(0, j))));
  }
  const auto make_add = [&] {
    return [&, work = CenterTables::Work(nearest), assigned = std::vector<std::int32_t>()](
               const float* rows, Index count, Index begin, ChunkPosteriors& posteriors,
               MixtureSums&) mutable {
      assigned.resize(count);
      nearest.Find(rows, count, begin, work, assigned.data());
      for (Index i = 0; i < count; ++i) posteriors.Add(assigned[i], i, 1);
    };
  };
  return SumChunks(samples, mixture, scale, threads, make_add);
}

GaussianMixture Maximize(const GaussianMixture& mixture, const MixtureSums& sums,
                         const Vector& variance_floors, double min_weight, bool* replaced) {
  const Index size = mixture.size(), dimension = mixture.dimension();
  // Zero is never a weight, even if none is too light.
  const double least = std::max(min_weight, 1e-12);
  constexpr double kLargestVariance = std::numeric_limits<float>::max();
  GaussianMixture next = mixture;
  next.weights = sums.counts / sums.counts.sum();
  std::vector<Index> light;
  for (Index k = 0; k < size; ++k) {
    if (next.weights[k] < least) {
      light.push_back(k);
      continue;
    }
    for (Index j = 0; j < dimension; ++j) {
      const double scale = sums.scale[j], shift = sums.first(k, j) / sums.counts[k];
      const double variance = (sums.second(k, j) / sums.counts[k] - shift * shift) / scale / scale;
      next.means(k, j) =
          static_cast<float>(static_cast<double>(mixture.means(k, j)) + shift / scale);
      next.variances(k, j) =
          static_cast<float>(std::clamp(variance, variance_floors[j], kLargestVariance));
    }
  }
  *replaced = false;
  for (const Index k : light) {
    Index heaviest;
    const double half = next.weights.maxCoeff(&heaviest) / 2;
    if (half < least) {
      next.weights[k] = least;  // and it stays as it was
      continue;
    }
    *replaced = true;
    next.weights[k] = next.weights[heaviest] = half;
    next.variances.row(k) = next.variances.row(heaviest);
    // A tenth of a deviation to one side or the other, always the same for Gaussian k.
    Rng side(static_cast<std::uint64_t>(k));
    for (Index j = 0; j < dimension; ++j) {
      const float step = 0.1F * std::sqrt(next.variances(heaviest, j));
      next.means(k, j) = next.means(heaviest, j) + (side.Next() >> 63 != 0 ? step : -step);
    }
  }
  next.weights /= next.weights.sum();
  return next;
}

}  // namespace alcedo
