#include "alcedo/classifier/svm_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {
namespace {

constexpr double kChunkBytes = 16 << 20;
constexpr Index kTileRows = 128;      // of scores
constexpr Index kTileColumns = 4096;  // of weights

Index Parts(Index size, Index part) { return (size + part - 1) / part; }

Index ChunkRows(Index width) {
  const double row_bytes = sizeof(float) * static_cast<double>(std::max<Index>(width, 1));
  return static_cast<Index>(std::clamp(kChunkBytes / row_bytes, 128.0, 8192.0));
}

}  // namespace

void ForEachChunk(const SampleSource& rows, const ChunkBody& body, Index most) {
  if (most == 0) most = ChunkRows(rows.dimension());
  Rows scratch;
  for (Index begin = 0; begin < rows.rows(); begin += most) {
    const Index count = std::min(most, rows.rows() - begin);
    const float* values = rows.Chunk(begin, count, scratch);
    body({values, begin, count, rows.dimension(), rows.dimension()});
  }
}

void ForEachChunk(const RowsView& rows, const ChunkBody& body) {
  const Index most = ChunkRows(rows.cols()), stride = rows.outerStride();
  for (Index begin = 0; begin < rows.rows(); begin += most) {
    const Index count = std::min(most, rows.rows() - begin);
    body({rows.data() + begin * stride, begin, count, rows.cols(), stride});
  }
}

void MultiplyRows(const RowChunk& chunk, const RowsView& weights, Rows& scores, int threads) {
  scores.resize(chunk.count, weights.rows());
  if (chunk.width == 0) {
    scores.setZero();
    return;
  }
  ParallelFor(Parts(chunk.count, kTileRows), threads, [&](Index tile) {
    const Index begin = tile * kTileRows;
    blas::MultiplyTransposed(chunk.rows + begin * chunk.stride,
                             std::min(kTileRows, chunk.count - begin), chunk.width, chunk.stride,
                             weights.data(), weights.rows(), weights.outerStride(),
                             scores.data() + begin * scores.cols(), scores.cols());
  });
}

void AddWeightedRows(const RowChunk& chunk, const float* factors, Index stride, Rows& weights,
                     int threads) {
  ParallelFor(Parts(chunk.width, kTileColumns), threads, [&](Index tile) {
    const Index begin = tile * kTileColumns;
    blas::AddProduct(factors, weights.rows(), chunk.count, stride, chunk.rows + begin,
                     std::min(kTileColumns, chunk.width - begin), chunk.stride,
                     weights.data() + begin, weights.cols());
  });
}

Matrix ScoreRows(const Rows& weights, const Vector& constant, const RowsView& rows,
                 double most_squares, int threads) {
  if (rows.cols() != weights.cols()) {
    throw InvalidArgument(fmt::format("rows must have the {} dimensions of the model, got {}",
                                      weights.cols(), rows.cols()));
  }
  Matrix scores(rows.rows(), weights.rows());
  ParallelFor(Parts(rows.rows(), kTileRows), threads, [&](Index tile) {
    const Index begin = tile * kTileRows, count = std::min(kTileRows, rows.rows() - begin);
    const float* part = rows.data() + begin * rows.outerStride();
    CheckRows(part, count, rows.cols(), rows.outerStride(), begin, "rows", most_squares);
    Rows products = Rows::Zero(count, weights.rows());
    if (rows.cols() > 0) {
      blas::MultiplyTransposed(part, count, rows.cols(), rows.outerStride(), weights.data(),
                               weights.rows(), weights.cols(), products.data(), weights.rows());
    }
    scores.middleRows(begin, count) = products.cast<double>().rowwise() + constant.transpose();
  });
  return scores;
}

namespace {

// Alphas are of float precision, and so are the costs that bound them.
double FloatBelow(double value) {
  const auto rounded = static_cast<float>(value);
  return rounded <= value ? rounded : std::nextafter(rounded, 0.0F);
}

constexpr Index kCheckRows = 64;

}  // namespace

std::vector<SvmCosts> CostsOfClasses(const Targets& targets, const SvmOptions& options) {
  const double c_float = FloatBelow(options.c);
  std::vector<SvmCosts> costs(targets.rows(), {c_float, c_float});
  if (!options.balanced) return costs;
  for (Index c = 0; c < targets.rows(); ++c) {
    const auto positive = static_cast<double>((targets.row(c).array() > 0).count());
    const auto negative = static_cast<double>((targets.row(c).array() < 0).count());
    const double half = options.c * (positive + negative) / 2;
    if (positive > 0) costs[c].positive = FloatBelow(half / positive);
    if (negative > 0) costs[c].negative = FloatBelow(half / negative);
  }
  return costs;
}

void Check(const SvmOptions& options) {
  Require(options.c >= 1e-12 && options.c <= 1e12, "svm.c", "from 1e-12 to 1e12", options.c);
  Require(options.bias >= 0 && options.bias <= 1e6, "svm.bias", "from 0 to 1e6", options.bias);
  Require(options.tolerance >= 0 && std::isfinite(options.tolerance), "svm.tolerance",
          "finite and >= 0", options.tolerance);
  Require(options.max_iterations >= 1, "svm.max_iterations", ">= 1", options.max_iterations);
  Require(options.max_memory_mib >= 0, "svm.max_memory_mib", ">= 0", options.max_memory_mib);
  Require(options.threads >= 1, "threads", ">= 1", options.threads);
}

void CheckTargets(const Targets& targets, Index samples) {
  if (targets.cols() != samples) {
    throw InvalidArgument(fmt::format(
        "targets must have a column for each of the {} samples, got {}", samples, targets.cols()));
  }
  for (Index c = 0; c < targets.rows(); ++c) {
    for (Index i = 0; i < samples; ++i) {
      if (targets(c, i) >= -1 && targets(c, i) <= 1) continue;
      throw InvalidArgument(fmt::format("targets: class {}, sample {} must be -1, 0 or 1, got {}",
                                        c, i, static_cast<int>(targets(c, i))));
    }
  }
}

void CheckRows(const float* rows, Index count, Index width, Index stride, Index first_row,
               std::string_view name, double most) {
  for (Index i = 0; i < count; ++i) {
    const float* row = rows + i * stride;
    const double squares = kernels::SquaredNorm(row, width);
    if (squares <= most) continue;
    const float* bad = std::find_if_not(row, row + width, [](float x) { return std::isfinite(x); });
    if (bad == row + width) {
      throw InvalidArgument(fmt::format("{}: the norm of row {} must be at most {:g}, got {:g}",
                                        name, first_row + i, std::sqrt(most), std::sqrt(squares)));
    }
    throw InvalidArgument(fmt::format("{}: row {}, column {} is {}", name, first_row + i, bad - row,
                                      std::isnan(*bad) ? "NaN" : "infinite"));
  }
}

void CheckRows(const SampleSource& rows, std::string_view name, int threads) {
  const Index chunks = (rows.rows() + kCheckRows - 1) / kCheckRows;
  ParallelFor(chunks, threads, [&](Index chunk) {
    Rows scratch;
    const Index begin = chunk * kCheckRows, count = std::min(kCheckRows, rows.rows() - begin);
    CheckRows(rows.Chunk(begin, count, scratch), count, rows.dimension(), rows.dimension(), begin,
              name);
  });
}

SampleSource SourceOf(const RowsView& rows) {
  return {rows.rows(), rows.cols(), [&rows](Index begin, Index count, float* out) {
            Eigen::Map<EigenRows>(out, count, rows.cols()) = rows.middleRows(begin, count);
          }};
}

double RelativeGap(double primal, double dual) {
  return primal > 0 ? std::max(0.0, (primal - dual) / primal) : 0;
}

void StartReport(SvmReport& report, Index classes, SvmSolver solver) {
  report.iterations.assign(classes, 0);
  report.gap.assign(classes, 0);
  report.solver = solver;
}

void FinishReport(SvmReport& report, double tolerance) {
  report.converged = std::all_of(report.gap.begin(), report.gap.end(),
                                 [&](double gap) { return gap <= tolerance; });
}

}  // namespace alcedo
