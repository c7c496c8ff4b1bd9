#include "alcedo/projection/covariance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {
namespace {

// Rows of one chunk: the unit of work for a thread, which ends in one d x d matrix.
constexpr Index kChunkRows = 4096;
// Rows made double at a time: with 128 columns they stay in a cache of 256 KiB.
constexpr Index kPanelRows = 256;

void CheckFinite(const float* rows, Index first, Index count, Index width) {
  if (std::isfinite(kernels::SquaredNorm(rows, count * width))) return;
  const float* bad =
      std::find_if_not(rows, rows + count * width, [](float x) { return std::isfinite(x); });
  throw InvalidArgument(fmt::format("PCA samples: row {}, column {} is {}",
                                    first + (bad - rows) / width, (bad - rows) % width,
                                    std::isnan(*bad) ? "NaN" : "infinite"));
}

// The mean is taken relative to the first row, so that it is exact if all rows are equal.
Vector MeanOf(const float* rows, Index count, Index width) {
  const Vector first = Eigen::Map<const Eigen::VectorXf>(rows, width).cast<double>();
  Vector sum = Vector::Zero(width);
  for (Index n = 0; n < count; ++n) {
    const float* row = rows + n * width;
    for (Index j = 0; j < width; ++j) sum[j] += static_cast<double>(row[j]) - first[j];
  }
  return first + sum / static_cast<double>(count);
}

MeanAndScatter OfChunk(const SampleSource& samples, Index begin, Index count) {
  Rows scratch;
  const Index width = samples.dimension();
  const float* rows = samples.Chunk(begin, count, scratch);
  CheckFinite(rows, begin, count, width);
  MeanAndScatter chunk{static_cast<double>(count), MeanOf(rows, count, width),
                       Matrix::Zero(width, width)};
  std::vector<double> panel(std::min(kPanelRows, count) * width);
  for (Index first = 0; first < count; first += kPanelRows) {
    const Index height = std::min(kPanelRows, count - first);
    for (Index n = 0; n < height; ++n) {
      const float* row = rows + (first + n) * width;
      double* to = panel.data() + n * width;
      for (Index j = 0; j < width; ++j) to[j] = static_cast<double>(row[j]) - chunk.mean[j];
    }
    blas::AddGram(panel.data(), height, width, width, chunk.scatter.data(), width);
  }
  return chunk;
}

}  // namespace

void MeanAndScatter::Add(const MeanAndScatter& other) {
  if (other.count == 0) return;
  const double share = other.count / (count + other.count);
  // For the first chunk the mean moves all the way, from a place that counts nothing.
  const Vector step = other.mean - mean;
  if (count == 0) {
    mean = other.mean;
  } else {
    mean += share * step;
  }
  scatter += other.scatter;
  blas::AddGram((step * std::sqrt(count * share)).eval().data(), 1, step.size(), step.size(),
                scatter.data(), step.size());
  count += other.count;
}

MeanAndScatter ComputeMeanAndScatter(const RankedSamples& samples, int threads) {
  Require(threads >= 1, "threads", ">= 1", threads);
  const Index width = samples.dimension();
  const MeanAndScatter zero{0, Vector::Zero(width), Matrix::Zero(width, width)};
  // As many chunks at a time as there are threads: the number of threads changes nothing but the
  // memory.
  return SumInOrder(samples, kChunkRows, kChunkRows, threads, zero, threads,
                    [&](Index begin, Index count, MeanAndScatter& sums) {
                      sums = OfChunk(samples.own(), begin, count);
                    });
}

}  // namespace alcedo
