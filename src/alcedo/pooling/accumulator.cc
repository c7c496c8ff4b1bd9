#include "alcedo/pooling/accumulator.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/gram.h"
#include "alcedo/linalg/refine.h"
#include "alcedo/linalg/shifted_solver.h"
#include "alcedo/pooling/block_rows.h"
#include "alcedo/pooling/gmp_internal.h"

namespace alcedo {
namespace {

static_assert(std::endian::native == std::endian::little, "the byte form is little-endian");

Index MatrixSize(Index num_blocks, Index block_size, GmpAccumulator::Layout layout) {
  return layout == GmpAccumulator::Layout::kOneBlockPerRow ? block_size : num_blocks * block_size;
}

// Adds the outer products of every pair of a row's entries, below the diagonal.
void AddRowOfBlocks(const Encodings& encodings, Index n, Index dimension, double* gram) {
  const Index width = encodings.block_size();
  for (Index e = encodings.EntryBegin(n); e < encodings.EntryBegin(n + 1); ++e) {
    for (Index f = encodings.EntryBegin(n); f < encodings.EntryBegin(n + 1); ++f) {
      const Index row = encodings.Block(e) * width, column = encodings.Block(f) * width;
      if (column > row) continue;
      for (Index i = 0; i < width; ++i) {
        const double value = encodings.Values(e)[i];
        double* to = gram + (row + i) * dimension + column;
        const Index end = row == column ? i + 1 : width;
        for (Index j = 0; j < end; ++j) to[j] += value * encodings.Values(f)[j];
      }
    }
  }
}

}  // namespace

GmpAccumulator::GmpAccumulator(Index num_blocks, Index block_size, Layout layout)
    : num_blocks_(num_blocks), block_size_(block_size), layout_(layout) {
  Require(num_blocks >= 1, "num_blocks", ">= 1", static_cast<double>(num_blocks));
  Require(block_size >= 1, "block_size", ">= 1", static_cast<double>(block_size));
  Require(num_blocks <= (Index{1} << 40) / block_size, "num_blocks x block_size", "at most 2^40",
          static_cast<double>(num_blocks) * static_cast<double>(block_size));
  const Index size = MatrixSize(num_blocks, block_size, layout);
  Require(size <= (Index{1} << 20), layout == Layout::kOneBlockPerRow ? "block_size" : "dimension",
          "at most 2^20 for its Gram matrix", static_cast<double>(size));
  const Index matrices = num_blocks * block_size / size;
  sum_ = Vector::Zero(num_blocks * block_size);
  block_rows_.assign(matrices, 0);
  gram_.assign(matrices * size * size, 0.0);
}

void GmpAccumulator::Add(const Encodings& encodings) {
  if (encodings.num_blocks() != num_blocks_ || encodings.block_size() != block_size_) {
    throw InvalidArgument(
        fmt::format("encodings to accumulate must have {} blocks of {}, got {} blocks of {}",
                    num_blocks_, block_size_, encodings.num_blocks(), encodings.block_size()));
  }
  if (encodings.num_rows() == 0) return;
  if (layout_ == Layout::kOneBlockPerRow) {
    if (!encodings.one_block_per_row()) {
      throw InvalidArgument(
          "rows with several entries need an accumulator of the layout kSeveralBlocksPerRow");
    }
    const BlockRows blocks(encodings);
    std::vector<float> gathered;
    GramScratch scratch;
    for (Index b = 0; b < num_blocks_; ++b) {
      const Index count = blocks.Count(b);
      if (count == 0) continue;
      AddGram(blocks.Gather(b, gathered), count, block_size_,
              gram_.data() + b * block_size_ * block_size_, scratch);
      block_rows_[b] += count;
    }
  } else {
    if (encodings.dense()) {
      GramScratch scratch;
      AddGram(encodings.Values(0), encodings.num_rows(), block_size_, gram_.data(), scratch);
    } else {
      for (Index n = 0; n < encodings.num_rows(); ++n) {
        AddRowOfBlocks(encodings, n, num_blocks_ * block_size_, gram_.data());
      }
    }
    block_rows_[0] += encodings.num_rows();
  }
  sum_ += WeightedSum(encodings, Vector::Ones(encodings.num_rows()));
  num_rows_ += encodings.num_rows();
  squared_norm_ += encodings.squared_norm();
}

void GmpAccumulator::Merge(const GmpAccumulator& other) {
  if (other.num_blocks_ != num_blocks_ || other.block_size_ != block_size_ ||
      other.layout_ != layout_) {
    throw InvalidArgument(fmt::format(
        "accumulators to merge must have the same layout: {} blocks of {} here, {} of {} there",
        num_blocks_, block_size_, other.num_blocks_, other.block_size_));
  }
  for (std::size_t i = 0; i < gram_.size(); ++i) gram_[i] += other.gram_[i];
  for (std::size_t i = 0; i < block_rows_.size(); ++i) block_rows_[i] += other.block_rows_[i];
  sum_ += other.sum_;
  num_rows_ += other.num_rows_;
  squared_norm_ += other.squared_norm_;
}

GmpPath GmpAccumulator::Solve(std::span<const double> lambdas, const GmpOptions& options) const {
  CheckGmpOptions(options);
  const double mean = num_rows_ > 0 ? squared_norm_ / static_cast<double>(num_rows_) : 0;
  const std::vector<double> absolute = AbsoluteLambdas(lambdas, options.relative, mean);
  const Index count = static_cast<Index>(absolute.size());
  const Index size = MatrixSize(num_blocks_, block_size_, layout_);
  const Index parts = static_cast<Index>(block_rows_.size());

  GmpPath path;
  path.phi = Matrix::Zero(count, num_blocks_ * block_size_);
  std::vector<GmpPartReport> reports(parts * count);
  ParallelFor(parts, options.threads, [&](Index part) {
    if (block_rows_[part] == 0) return;
    ShiftedSolver solver;
    std::copy_n(gram_.data() + part * size * size, size * size, solver.Reset(size));
    const auto b = sum_.segment(part * size, size);
    const double right_norm = cg_internal::Norm(b);
    const CgOptions limits{options.tolerance, options.accuracy};
    Vector x, r;
    RefineScratch scratch;
    for (Index l = 0; l < count; ++l) {
      const double lambda = absolute[l];
      solver.Prepare(lambda, options.rank_tolerance, count >= kManyLambdas);
      const auto target = [&](const Vector& y) {
        return lambda == 0 ? 0
                           : cg_internal::Target(limits, lambda, right_norm, cg_internal::Norm(y));
      };
      r = b;
      const double norm = Refine([&](Vector& v) { solver.Solve(v.data()); },
                                 [&](const Vector& y, Vector& left) {
                                   left.resize(size);
                                   solver.Multiply(y.data(), left.data());
                                   left = b - left - lambda * y;
                                 },
                                 target, x, r, scratch);
      path.phi.row(l).segment(part * size, size) = x.transpose();
      const double good = lambda == 0 ? options.tolerance * right_norm : target(x);
      reports[part * count + l] = {
          true,
          0,
          norm,
          right_norm,
          cg_internal::Norm(x),
          norm <= good ? CgReport::Stop::kConverged : CgReport::Stop::kStagnated};
    }
  });
  path.reports = CombinePath(reports, absolute, mean);
  return path;
}

}  // namespace alcedo
