#include "alcedo/pooling/accumulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/mixed_cg.h"
#include "alcedo/linalg/shifted_solver.h"
#include "alcedo/pooling/gmp_internal.h"

namespace alcedo {
namespace {

Index MatrixSize(Index num_blocks, Index block_size, GmpAccumulator::Layout layout) {
  return layout == GmpAccumulator::Layout::kOneBlockPerRow ? block_size : num_blocks * block_size;
}

// Adds the outer products of every pair of a row's entries, below the diagonal.
template <class Scalar>
void AddRowOfBlocks(const Encodings& encodings, const Scalar* values, Index n, Index dimension,
                    double* gram) {
  const Index width = encodings.block_size();
  for (Index e = encodings.EntryBegin(n); e < encodings.EntryBegin(n + 1); ++e) {
    for (Index f = encodings.EntryBegin(n); f < encodings.EntryBegin(n + 1); ++f) {
      const Index row = encodings.Block(e) * width, column = encodings.Block(f) * width;
      if (column > row) continue;
      for (Index i = 0; i < width; ++i) {
        const double value = values[e * width + i];
        double* to = gram + (row + i) * dimension + column;
        const Index end = row == column ? i + 1 : width;
        for (Index j = 0; j < end; ++j) to[j] += value * values[f * width + j];
      }
    }
  }
}

// The byte form of an accumulator: a fixed header, the arrays, and a checksum over both. Everything
// is little-endian and eight bytes wide.
static_assert(std::endian::native == std::endian::little, "the byte form is little-endian");

constexpr std::uint64_t kMagic = 0x31434341504d4741;  // "AGMPACC1" as bytes

// In the manner of FNV, over eight-byte words; the shift brings high bits down, so that two flipped
// signs do not cancel. It is there against truncation and damage, not against forgery.
std::uint64_t Checksum(std::span<const char> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return hash;
}

template <class T>
void Append(std::string& to, const T* from, std::size_t count) {
  static_assert(sizeof(T) == 8);
  to.append(reinterpret_cast<const char*>(from), count * 8);
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
    GatherScratch gathered;
    GramScratch scratch;
    for (Index b = 0; b < num_blocks_; ++b) {
      const Index count = blocks.Count(b);
      if (count == 0) continue;
      blocks.WithRows(b, gathered, [&](const auto* rows) {
        AddGram(rows, count, block_size_, gram_.data() + b * block_size_ * block_size_, scratch);
      });
      block_rows_[b] += count;
    }
  } else {
    encodings.WithValues([&](const auto* values) {
      if (encodings.dense()) {
        GramScratch scratch;
        AddGram(values, encodings.num_rows(), block_size_, gram_.data(), scratch);
        return;
      }
      for (Index n = 0; n < encodings.num_rows(); ++n) {
        AddRowOfBlocks(encodings, values, n, num_blocks_ * block_size_, gram_.data());
      }
    });
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

GmpPath GmpAccumulator::Solve(std::span<const GmpOptions> members) const {
  int threads = 1;
  for (const GmpOptions& options : members) {
    Check(options);
    CheckDirect(options, GmpSolver::kPrimal, "for accumulated rows");
    threads = std::max(threads, options.threads);
  }
  const double mean = num_rows_ > 0 ? squared_norm_ / static_cast<double>(num_rows_) : 0;
  const std::vector<double> absolute = AbsoluteLambdas(members, mean);
  const Index count = static_cast<Index>(absolute.size());
  const Index size = MatrixSize(num_blocks_, block_size_, layout_);
  const Index parts = static_cast<Index>(block_rows_.size());

  GmpPath path;
  path.phi = Matrix::Zero(count, num_blocks_ * block_size_);
  std::vector<GmpPartReport> reports(parts * count);
  ParallelFor(parts, threads, [&](Index part) {
    if (block_rows_[part] == 0) return;
    ShiftedSolver solver;
    std::copy_n(gram_.data() + part * size * size, size * size, solver.Reset(size));
    const auto b = sum_.segment(part * size, size);
    const double right_norm = cg_internal::Norm(b);
    Vector x, r;
    RefineScratch scratch;
    for (Index l = 0; l < count; ++l) {
      const double lambda = absolute[l];
      const GmpOptions& options = members[static_cast<std::size_t>(l)];
      const CgOptions limits{options.tolerance, options.accuracy};
      solver.Prepare(lambda, options.rank_tolerance, count >= kManyLambdas);
      const auto target = [&](const Vector& y) {
        return lambda == 0 ? 0
                           : cg_internal::Target(limits, lambda, right_norm, cg_internal::Norm(y));
      };
      const auto solve = [&] {
        r = b;
        return Refine([&](Vector& v) { solver.Solve(v.data()); },
                      [&](const Vector& y, Vector& left) {
                        left.resize(size);
                        solver.Multiply(y.data(), left.data());
                        left = b - left - lambda * y;
                      },
                      target, x, r, scratch);
      };
      double norm = solve();
      // Cholesky gave noise: a lambda below the rounding errors of the sums. Eigenvalues know which
      // of them to leave out.
      if (norm > 0 && x.isZero(0)) {
        solver.Prepare(lambda, options.rank_tolerance, true);
        norm = solve();
      }
      path.phi.row(l).segment(part * size, size) = x.transpose();
      const double good = lambda == 0 ? options.tolerance * right_norm : target(x);
      GmpPartReport report{true, 0, norm, right_norm, cg_internal::Norm(x)};
      report.error_norm = norm == 0    ? 0
                          : lambda > 0 ? norm / lambda
                                       : std::numeric_limits<double>::infinity();
      if (!(norm <= good)) report.stop = CgReport::Stop::kStagnated;
      reports[part * count + l] = report;
    }
  });
  path.reports = CombinePath(reports, absolute, mean);
  return path;
}

std::string GmpAccumulator::ToBytes() const {
  const std::int64_t header[] = {static_cast<std::int64_t>(kMagic), num_blocks_, block_size_,
                                 static_cast<std::int64_t>(layout_), num_rows_};
  std::string bytes;
  bytes.reserve(8 * (std::size(header) + 2 + sum_.size() + block_rows_.size() + gram_.size()));
  Append(bytes, header, std::size(header));
  Append(bytes, &squared_norm_, 1);
  Append(bytes, sum_.data(), sum_.size());
  Append(bytes, block_rows_.data(), block_rows_.size());
  Append(bytes, gram_.data(), gram_.size());
  const std::uint64_t checksum = Checksum(bytes);
  Append(bytes, &checksum, 1);
  return bytes;
}

GmpAccumulator GmpAccumulator::FromBytes(std::span<const char> bytes) {
  const auto refuse = [](const char* why) {
    throw FormatError(std::string("accumulator: ") + why + "; write it again with ToBytes");
  };
  std::int64_t header[5];
  if (bytes.size() < sizeof(header) + 16 || bytes.size() % 8 != 0) refuse("the bytes are cut off");
  std::memcpy(header, bytes.data(), sizeof(header));
  const auto [magic, num_blocks, block_size, layout, num_rows] = header;
  if (static_cast<std::uint64_t>(magic) != kMagic) refuse("these bytes are something else");
  if (layout != 0 && layout != 1) refuse("the layout is unknown");
  if (num_blocks < 1 || block_size < 1 || num_rows < 0 ||
      num_blocks > (std::int64_t{1} << 40) / block_size) {
    refuse("the header is damaged");
  }
  // The sizes must add up before anything of that size is allocated.
  const double d = static_cast<double>(num_blocks) * static_cast<double>(block_size);
  const double size = layout == 0 ? static_cast<double>(block_size) : d;
  const double words = 5 + 1 + d + d / size + d * size + 1;
  if (words * 8 != static_cast<double>(bytes.size())) refuse("the bytes are cut off");
  std::uint64_t checksum;
  std::memcpy(&checksum, bytes.data() + bytes.size() - 8, 8);
  if (checksum != Checksum(bytes.first(bytes.size() - 8))) refuse("the checksum does not match");

  GmpAccumulator result(num_blocks, block_size, static_cast<Layout>(layout));
  result.num_rows_ = num_rows;
  const char* at = bytes.data() + sizeof(header);
  const auto take = [&](auto* to, std::size_t count) {
    std::memcpy(to, at, count * 8);
    at += count * 8;
  };
  take(&result.squared_norm_, 1);
  take(result.sum_.data(), result.sum_.size());
  take(result.block_rows_.data(), result.block_rows_.size());
  take(result.gram_.data(), result.gram_.size());
  // Rows have values up to 1e70, so that sums and products beyond these were not added up here, and
  // solving with them would leave the range of double. False for NaN too.
  const auto within = [](double limit) { return [=](double x) { return std::abs(x) <= limit; }; };
  if (!within(1e160)(result.squared_norm_) || !std::ranges::all_of(result.sum_, within(1e90)) ||
      !std::ranges::all_of(result.gram_, within(1e160))) {
    refuse("it holds values that no rows have");
  }
  Index rows = 0;
  for (std::int64_t count : result.block_rows_) {
    if (count < 0 || count > num_rows - rows) refuse("its counts do not add up");
    rows += count;
  }
  if (rows != num_rows) refuse("its counts do not add up");
  return result;
}

}  // namespace alcedo
