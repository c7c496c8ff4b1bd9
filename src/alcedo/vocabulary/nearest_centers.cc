#include "alcedo/vocabulary/nearest_centers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/linalg/distance_kernels.h"
#include "alcedo/linalg/score_selection.h"
#include "alcedo/vocabulary/center_tables.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {

using kernels::kScoreRows;

CenterTables::CenterTables(const Rows& centers) : centers_(centers) {
  Require(centers.rows() >= 1, "number of centers", ">= 1", static_cast<double>(centers.rows()));
  RequireFinite(centers.data(), centers.rows(), centers.cols(), 0, "centers");
  origin_ = kernels::ColumnMedians(centers);
  // Around the middle of the centres, and with the usual centre at distance 1, the error bound is
  // small beside the distances.
  const Eigen::Map<const Eigen::RowVectorXf> origin(origin_.data(), centers.cols());
  Matrix moved = centers.cast<double>().rowwise() - origin.cast<double>();
  Vector norms = moved.rowwise().norm();
  std::vector<double> sorted(norms.begin(), norms.end());
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  const double median = sorted[sorted.size() / 2];
  const float scale = kernels::InverseScale(median > 0 ? median : norms.maxCoeff());
  scale_.assign(centers.cols(), scale);
  moved *= scale;
  norms *= scale;
  functions_ = kernels::ScoreFunctions(moved, -norms.array().square() / 2);
  coarse_ = kernels::CoarseFunctions(functions_);
}

CenterTables::Work::Work(const CenterTables& tables)
    : rows(tables.centers_.cols(), false),
      coarse(tables.functions_.width),
      scores(kScoreRows * tables.functions_.padded),
      values(tables.functions_.padded + kernels::kScorePanel),
      selected(tables.functions_.padded + kernels::kScorePanel),
      distances(tables.functions_.padded) {}

template <class Body>
void CenterTables::ForEachRow(const float* rows, Index count, Index first_row, Work& work,
                              const Body& body) const {
  const Index dimension = centers_.cols();
  const float factor = kernels::CoarseError(functions_.width);
  for (Index begin = 0; begin < count; begin += kScoreRows) {
    const float* block = rows + begin * dimension;
    const Index size = std::min(kScoreRows, count - begin);
    work.rows.Load(block, size, origin_.data(), scale_.data());
    kernels::CoarseScores(functions_, coarse_, work.rows, work.coarse, work.scores.data());
    for (Index r = 0; r < size; ++r) {
      const float* row = block + r * dimension;
      const float norm = work.rows.norms[r];
      const bool usable = norm * functions_.largest_norm <= kernels::kLargestScore;
      if (!usable) RequireFinite(row, 1, dimension, first_row + begin + r, "rows");
      const float* scores = usable ? work.scores.data() + r * functions_.padded : nullptr;
      body(begin + r, row, scores, factor * norm);
    }
  }
}

Index CenterTables::Candidates(const float* row, const float* scores, float error, Index k,
                               Work& work) const {
  Index count = functions_.size;
  if (scores == nullptr) {
    std::iota(work.selected.begin(), work.selected.begin() + count, 0);
  } else {
    const float bound = std::max(kernels::LowerBoundOfKth(functions_, scores, error, k),
                                 -std::numeric_limits<float>::max());
    count = kernels::SelectByUpperBound(functions_, scores, error, bound, work.selected.data(),
                                        work.values.data())
                .count;
  }
  kernels::SquaredDistances(row, centers_.data(), centers_.cols(), work.selected.data(), count,
                            work.distances.data());
  return count;
}

void CenterTables::Find(const float* rows, Index count, Index first_row, Work& work,
                        std::int32_t* out) const {
  ForEachRow(rows, count, first_row, work,
             [&](Index index, const float* row, const float* scores, float error) {
               if (scores != nullptr) {
                 const kernels::BestScore best = kernels::FindBest(functions_, scores, error);
                 out[index] = best.index;
                 if (best.sure) return;
               }
               const Index found = Candidates(row, scores, error, 1, work);
               const auto begin = work.distances.begin();
               out[index] = work.selected[std::min_element(begin, begin + found) - begin];
             });
}

void CenterTables::FindK(const float* rows, Index count, Index first_row, Index k, Work& work,
                         std::int32_t* out, float* squared_distances) const {
  ForEachRow(rows, count, first_row, work,
             [&](Index index, const float* row, const float* scores, float error) {
               const Index found = Candidates(row, scores, error, k, work);
               work.order.resize(found);
               std::iota(work.order.begin(), work.order.end(), Index{0});
               // Candidates are in the order of their index, which decides among equals.
               std::partial_sort(work.order.begin(), work.order.begin() + k, work.order.end(),
                                 [&](Index a, Index b) {
                                   const double da = work.distances[a], db = work.distances[b];
                                   return da != db ? da < db : a < b;
                                 });
               for (Index i = 0; i < k; ++i) {
                 out[index * k + i] = work.selected[work.order[i]];
                 if (squared_distances != nullptr) {
                   constexpr double kMost = std::numeric_limits<float>::max();
                   squared_distances[index * k + i] =
                       static_cast<float>(std::min(work.distances[work.order[i]], kMost));
                 }
               }
             });
}

struct NearestCenters::Prepared {
  explicit Prepared(Rows values) : centers(std::move(values)), tables(centers) {}
  Rows centers;
  CenterTables tables;
};

namespace {

// Calls body(begin, rows, count, work) for chunks of the rows, in parallel.
template <class Body>
void ForChunks(const CenterTables& tables, const RowsView& rows, int threads, const Body& body) {
  const Index dimension = tables.centers().cols();
  if (rows.cols() != dimension) {
    throw InvalidArgument(fmt::format("rows must have the {} dimensions of the centers, got {}",
                                      dimension, rows.cols()));
  }
  constexpr Index kRowsAtOnce = 10 * kScoreRows;
  ParallelFor((rows.rows() + kRowsAtOnce - 1) / kRowsAtOnce, threads, [&](Index chunk) {
    CenterTables::Work work(tables);
    const Index begin = chunk * kRowsAtOnce, count = std::min(kRowsAtOnce, rows.rows() - begin);
    if (rows.outerStride() == rows.cols()) {
      body(begin, rows.data() + begin * rows.cols(), count, work);
    } else {
      const Rows copy = rows.middleRows(begin, count);
      body(begin, copy.data(), count, work);
    }
  });
}

}  // namespace

NearestCenters::NearestCenters(Rows centers)
    : prepared_(std::make_shared<const Prepared>(std::move(centers))) {}

const Rows& NearestCenters::centers() const { return prepared_->centers; }

std::vector<std::int32_t> NearestCenters::Find(const RowsView& rows, int threads) const {
  const CenterTables& tables = prepared_->tables;
  std::vector<std::int32_t> result(rows.rows());
  ForChunks(tables, rows, threads,
            [&](Index begin, const float* part, Index count, CenterTables::Work& work) {
              tables.Find(part, count, begin, work, result.data() + begin);
            });
  return result;
}

std::vector<std::int32_t> NearestCenters::FindK(const RowsView& rows, Index k,
                                                Rows* squared_distances, int threads) const {
  const CenterTables& tables = prepared_->tables;
  if (k < 1 || k > centers().rows()) {
    throw InvalidArgument(
        fmt::format("number of nearest centers must be from 1 to {}, got {}", centers().rows(), k));
  }
  std::vector<std::int32_t> result(rows.rows() * k);
  if (squared_distances != nullptr) squared_distances->resize(rows.rows(), k);
  ForChunks(tables, rows, threads,
            [&](Index begin, const float* part, Index count, CenterTables::Work& work) {
              float* distances =
                  squared_distances == nullptr ? nullptr : squared_distances->data() + begin * k;
              tables.FindK(part, count, begin, k, work, result.data() + begin * k, distances);
            });
  return result;
}

std::vector<std::int32_t> AssignNearest(const Rows& centers, const RowsView& rows, int threads) {
  return NearestCenters(centers).Find(rows, threads);
}

std::vector<std::int32_t> AssignNearestK(const Rows& centers, const RowsView& rows, Index k,
                                         Rows* squared_distances, int threads) {
  return NearestCenters(centers).FindK(rows, k, squared_distances, threads);
}

}  // namespace alcedo
