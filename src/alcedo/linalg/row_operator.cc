#include "alcedo/linalg/row_operator.h"

#include <algorithm>

#include "alcedo/base/parallel.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

constexpr Index kMinChunkRows = 512;
constexpr Index kMaxChunks = 16;
// Starting threads takes longer than a pass over fewer values.
constexpr Index kMinThreadedValues = Index{1} << 20;
// Several vectors are applied to a tile of rows while it is in cache.
constexpr Index kTileRows = 16;
// 512 KiB of float: what a second-level cache holds besides everything else.
constexpr Index kMaxCachedValues = Index{1} << 17;
// Up to this many rows our own kernel matrix beats that of BLAS.
constexpr Index kSmallKernelRows = 96;

}  // namespace

RowOperator::RowOperator(const kernels::SparseRows& rows,
                         const kernels::SparseRowsOf<double>& double_rows, bool is_double,
                         bool dense, Index dimension, int threads)
    : rows_(rows),
      double_rows_(double_rows),
      is_double_(is_double),
      num_rows_(is_double ? double_rows.count : rows.count),
      dense_(dense),
      dimension_(dimension),
      threads_(threads),
      dots_(num_rows_) {}

RowOperator::RowOperator(const float* rows, Index count, Index width, int threads)
    : RowOperator({rows, nullptr, nullptr, count, width}, {}, false, true, width, threads) {}

RowOperator::RowOperator(const kernels::SparseRows& rows, Index dimension, int threads)
    : RowOperator(rows, {}, false, false, dimension, threads) {}

RowOperator::RowOperator(const double* rows, Index count, Index width, int threads)
    : RowOperator({}, {rows, nullptr, nullptr, count, width}, true, true, width, threads) {}

RowOperator::RowOperator(const kernels::SparseRowsOf<double>& rows, Index dimension, int threads)
    : RowOperator({}, rows, true, false, dimension, threads) {}

Index RowOperator::num_values() const {
  return WithValues(
      [](const auto& rows) { return (rows.Begin(rows.count) - rows.Begin(0)) * rows.width; });
}

Index RowOperator::ChunkSize() const {
  return std::max(kMinChunkRows, (num_rows_ + kMaxChunks - 1) / kMaxChunks);
}

Index RowOperator::NumChunks() const { return (num_rows_ + ChunkSize() - 1) / ChunkSize(); }

int RowOperator::Threads() const { return num_values() < kMinThreadedValues ? 1 : threads_; }

template <class AddChunk>
void RowOperator::SumOverChunks(Index size, double* y, const AddChunk& add) {
  std::fill_n(y, size, 0.0);
  const Index chunks = NumChunks(), rows = ChunkSize();
  const auto end_of = [&](Index chunk) { return std::min(num_rows_, (chunk + 1) * rows); };
  if (chunks <= 1) {
    add(0, num_rows_, y);
    return;
  }
  const auto add_to_y = [&](const double* part) {
    for (Index i = 0; i < size; ++i) y[i] += part[i];
  };
  if (Threads() == 1) {
    partial_.resize(std::max<std::size_t>(partial_.size(), size));
    for (Index c = 0; c < chunks; ++c) {
      std::fill_n(partial_.data(), size, 0.0);
      add(c * rows, end_of(c), partial_.data());
      add_to_y(partial_.data());
    }
    return;
  }
  partial_.resize(std::max<std::size_t>(partial_.size(), chunks * size));
  ParallelFor(chunks, threads_, [&](Index c) {
    double* part = partial_.data() + c * size;
    std::fill_n(part, size, 0.0);
    add(c * rows, end_of(c), part);
  });
  for (Index c = 0; c < chunks; ++c) add_to_y(partial_.data() + c * size);
}

template <class Use>
void RowOperator::WithRows(Index begin, Index end, const Use& use) const {
  WithValues([&](const auto& rows) {
    if (!dense_) {
      use(rows.Part(begin, end));
    } else {
      use(rows.values + begin * rows.width, end - begin, rows.width);
    }
  });
}

void RowOperator::Apply(Index count, const double* p, double* y) {
  SumOverChunks(count * dimension_, y, [&](Index begin, Index end, double* part) {
    const Index tile = count == 1 ? std::max<Index>(end - begin, 1) : kTileRows;
    for (Index i = begin; i < end; i += tile) {
      WithRows(i, std::min(end, i + tile), [&](const auto&... rows) {
        for (Index k = 0; k < count; ++k) {
          kernels::AddGramProduct(rows..., p + k * dimension_, dots_.data() + i,
                                  part + k * dimension_);
        }
      });
    }
  });
}

bool RowOperator::FitsCache() const {
  return dense_ && !is_double_ && num_values() <= kMaxCachedValues;
}

void RowOperator::ApplyFloat(const float* p, float* y) {
  float_dots_.resize(rows_.count);
  std::fill_n(y, dimension_, 0.0f);
  kernels::AddGramProduct(rows_.values, rows_.count, dimension_, p, float_dots_.data(), y);
}

void RowOperator::KernelProductFloat(const float* weights, float* phi, float* y) const {
  std::fill_n(phi, dimension_, 0.0f);
  kernels::AddWeightedRows(rows_.values, rows_.count, dimension_, weights, phi);
  kernels::Dots(rows_.values, rows_.count, dimension_, phi, y);
}

void RowOperator::Similarities(const double* phi, double* dots) {
  const Index rows_per_chunk = ChunkSize();
  const auto chunk = [&](Index c) {
    const Index begin = c * rows_per_chunk, end = std::min(num_rows_, begin + rows_per_chunk);
    WithRows(begin, end, [&](const auto&... rows) { kernels::Dots(rows..., phi, dots + begin); });
  };
  if (Threads() == 1) {
    for (Index c = 0; c < NumChunks(); ++c) chunk(c);
  } else {
    ParallelFor(NumChunks(), threads_, chunk);
  }
}

void RowOperator::WeightedSum(const double* weights, double* y) {
  SumOverChunks(dimension_, y, [&](Index begin, Index end, double* part) {
    WithRows(begin, end, [&](const auto&... rows) {
      kernels::AddWeightedRows(rows..., weights + begin, part);
    });
  });
}

void RowOperator::SquaredNorms(double* norms) const {
  WithValues([&](const auto& rows) {
    for (Index i = 0; i < rows.count; ++i) {
      const Index begin = rows.Begin(i), entries = rows.Begin(i + 1) - begin;
      norms[i] = kernels::SquaredNorm(rows.values + begin * rows.width, entries * rows.width);
    }
  });
}

void RowOperator::CopyRow(Index i, double* to) const {
  std::fill_n(to, dimension_, 0.0);
  WithValues([&](const auto& rows) {
    for (Index e = rows.Begin(i); e < rows.Begin(i + 1); ++e) {
      std::copy_n(rows.values + e * rows.width, rows.width, to + rows.Block(e) * rows.width);
    }
  });
}

void RowOperator::Gram(double* gram) {
  std::fill_n(gram, dimension_ * dimension_, 0.0);
  GramScratch scratch;
  if (dense_) {
    WithValues(
        [&](const auto& rows) { AddGram(rows.values, rows.count, dimension_, gram, scratch); });
    return;
  }
  // A tile of rows at a time is spread out. If this matrix fits in memory, so does the tile.
  const Index tile = std::clamp<Index>((Index{1} << 18) / dimension_, 1, 256);
  std::vector<double> spread(tile * dimension_);
  for (Index begin = 0; begin < num_rows_; begin += tile) {
    const Index size = std::min(tile, num_rows_ - begin);
    for (Index i = 0; i < size; ++i) CopyRow(begin + i, spread.data() + i * dimension_);
    AddGram(spread.data(), size, dimension_, gram, scratch);
  }
}

void RowOperator::Kernel(double* kernel) {
  if (FitsCache() && num_rows_ <= kSmallKernelRows) {
    const std::vector<double> copy(rows_.values, rows_.values + num_values());
    kernels::SmallKernelMatrix(copy.data(), num_rows_, dimension_, kernel);
    return;
  }
  if (dense_) {
    GramScratch scratch;
    WithValues([&](const auto& rows) {
      KernelMatrix(rows.values, rows.count, dimension_, kernel, scratch);
    });
    return;
  }
  std::vector<double> spread(dimension_, 0.0);
  WithValues([&](const auto& rows) {
    for (Index i = 0; i < rows.count; ++i) {
      const auto place = [&](bool values) {
        for (Index e = rows.Begin(i); e < rows.Begin(i + 1); ++e) {
          for (Index j = 0; j < rows.width; ++j) {
            spread[rows.Block(e) * rows.width + j] = values ? rows.values[e * rows.width + j] : 0.0;
          }
        }
      };
      place(true);
      kernels::Dots(rows.Part(0, i + 1), spread.data(), kernel + i * rows.count);
      place(false);
    }
  });
}

void KernelOperator::Apply(Index count, const double* p, double* y) {
  for (Index k = 0; k < count; ++k) {
    rows_.WeightedSum(p + k * size(), phi_.data());
    rows_.Similarities(phi_.data(), y + k * size());
  }
}

void KernelOperator::ApplyFloat(const float* p, float* y) {
  float_phi_.resize(rows_.size());
  rows_.KernelProductFloat(p, float_phi_.data(), y);
}

}  // namespace alcedo
