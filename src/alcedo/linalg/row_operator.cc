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

RowOperator::RowOperator(const float* rows, Index count, Index width, int threads)
    : rows_{rows, nullptr, nullptr, count, width},
      dense_(true),
      dimension_(width),
      threads_(threads),
      dots_(count) {}

RowOperator::RowOperator(const kernels::SparseRows& rows, Index dimension, int threads)
    : rows_(rows), dense_(false), dimension_(dimension), threads_(threads), dots_(rows.count) {}

Index RowOperator::num_values() const {
  return (rows_.Begin(rows_.count) - rows_.Begin(0)) * rows_.width;
}

Index RowOperator::ChunkSize() const {
  return std::max(kMinChunkRows, (rows_.count + kMaxChunks - 1) / kMaxChunks);
}

Index RowOperator::NumChunks() const { return (rows_.count + ChunkSize() - 1) / ChunkSize(); }

int RowOperator::Threads() const { return num_values() < kMinThreadedValues ? 1 : threads_; }

template <class AddChunk>
void RowOperator::SumOverChunks(Index size, double* y, const AddChunk& add) {
  std::fill_n(y, size, 0.0);
  const Index chunks = NumChunks(), rows = ChunkSize();
  const auto end_of = [&](Index chunk) { return std::min(rows_.count, (chunk + 1) * rows); };
  if (chunks <= 1) {
    add(0, rows_.count, y);
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
  if (!dense_) {
    use(rows_.Part(begin, end));
  } else {
    use(rows_.values + begin * rows_.width, end - begin, rows_.width);
  }
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

bool RowOperator::FitsCache() const { return dense_ && num_values() <= kMaxCachedValues; }

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
    const Index begin = c * rows_per_chunk, end = std::min(rows_.count, begin + rows_per_chunk);
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
  for (Index i = 0; i < rows_.count; ++i) {
    const Index begin = rows_.Begin(i), entries = rows_.Begin(i + 1) - begin;
    norms[i] = kernels::SquaredNorm(rows_.values + begin * rows_.width, entries * rows_.width);
  }
}

void RowOperator::Gram(double* gram) {
  std::fill_n(gram, dimension_ * dimension_, 0.0);
  GramScratch scratch;
  if (dense_) {
    AddGram(rows_.values, rows_.count, dimension_, gram, scratch);
    return;
  }
  // A tile of rows at a time is spread out. If this matrix fits in memory, so does the tile.
  const Index tile = std::clamp<Index>((Index{1} << 18) / dimension_, 1, 256);
  std::vector<float> spread(tile * dimension_);
  for (Index begin = 0; begin < rows_.count; begin += tile) {
    const Index size = std::min(tile, rows_.count - begin);
    std::fill(spread.begin(), spread.end(), 0.0f);
    for (Index i = 0; i < size; ++i) {
      for (Index e = rows_.Begin(begin + i); e < rows_.Begin(begin + i + 1); ++e) {
        std::copy_n(rows_.values + e * rows_.width, rows_.width,
                    spread.data() + i * dimension_ + rows_.Block(e) * rows_.width);
      }
    }
    AddGram(spread.data(), size, dimension_, gram, scratch);
  }
}

void RowOperator::Kernel(double* kernel) {
  if (FitsCache() && rows_.count <= kSmallKernelRows) {
    const std::vector<double> copy(rows_.values, rows_.values + num_values());
    kernels::SmallKernelMatrix(copy.data(), rows_.count, dimension_, kernel);
    return;
  }
  if (dense_) {
    GramScratch scratch;
    KernelMatrix(rows_.values, rows_.count, dimension_, kernel, scratch);
    return;
  }
  std::vector<double> spread(dimension_, 0.0);
  for (Index i = 0; i < rows_.count; ++i) {
    const auto place = [&](bool values) {
      for (Index e = rows_.Begin(i); e < rows_.Begin(i + 1); ++e) {
        for (Index j = 0; j < rows_.width; ++j) {
          spread[rows_.Block(e) * rows_.width + j] =
              values ? rows_.values[e * rows_.width + j] : 0.0;
        }
      }
    };
    place(true);
    kernels::Dots(rows_.Part(0, i + 1), spread.data(), kernel + i * rows_.count);
    place(false);
  }
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
