#include "alcedo/pooling/democratic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"
#include "alcedo/pooling/gmp_internal.h"
#include "alcedo/pooling/sinkhorn.h"

namespace alcedo {
namespace {

Index SameRow(Index /*kernel*/, Index i) { return i; }

double KernelBytes(Index rows) {
  return static_cast<double>(rows) * static_cast<double>(rows) * sizeof(double);
}

Vector RowNorms(const Encodings& encodings) {
  Vector norms(encodings.num_rows());
  for (Index n = 0; n < norms.size(); ++n) {
    const Index first = encodings.EntryBegin(n), size = encodings.EntryBegin(n + 1) - first;
    norms[n] = encodings.WithValues([&](const auto* values) {
      const Index width = encodings.block_size();
      return std::sqrt(kernels::SquaredNorm(values + first * width, size * width));
    });
  }
  return norms;
}

// The results of all gammas from the solutions of all gammas.
std::vector<WeightsResult> CollectAll(const std::vector<std::vector<sinkhorn::Solution>>& solutions,
                                      Index num_rows,
                                      const std::function<Index(Index, Index)>& row_of,
                                      const DemocraticOptions& options) {
  std::vector<WeightsResult> results;
  for (const auto& of_gamma : solutions) {
    results.push_back(sinkhorn::Collect(of_gamma, num_rows, row_of, options));
  }
  return results;
}

struct Entry {
  Index block, row, index;
};
using Group = std::vector<Entry>;

// The entries of every block that has any.
std::vector<Group> GroupByBlock(const Encodings& encodings) {
  std::vector<Entry> entries;
  entries.reserve(encodings.num_entries());
  for (Index n = 0; n < encodings.num_rows(); ++n) {
    for (Index e = encodings.EntryBegin(n); e < encodings.EntryBegin(n + 1); ++e) {
      entries.push_back({encodings.Block(e), n, e});
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.block < b.block; });
  std::vector<Group> groups;
  for (const Entry& entry : entries) {
    if (groups.empty() || groups.back().back().block != entry.block) groups.emplace_back();
    groups.back().push_back(entry);
  }
  return groups;
}

Index LargestGroup(const std::vector<Group>& groups) {
  std::size_t largest = 0;
  for (const Group& group : groups) largest = std::max(largest, group.size());
  return static_cast<Index>(largest);
}

// What one block adds to the cosines between the rows that hold it.
void BlockCosines(const Encodings& encodings, const Group& group, const Vector& norms,
                  MatrixSpan cosines) {
  constexpr Index kColumns = 256;  // bounds the copy in double
  const auto count = static_cast<Index>(group.size());
  cosines.setZero();
  for (Index begin = 0; begin < encodings.block_size(); begin += kColumns) {
    const Index width = std::min(kColumns, encodings.block_size() - begin);
    Matrix tile = Matrix::Zero(count, width);
    for (Index i = 0; i < count; ++i) {
      const double norm = norms[group[i].row];
      encodings.WithValues([&](const auto* all) {
        const auto* values = all + group[i].index * encodings.block_size() + begin;
        for (Index j = 0; norm > 0 && j < width; ++j) tile(i, j) = values[j] / norm;
      });
    }
    blas::AddKernel(tile.data(), count, width, width, cosines.data(), count);
  }
  cosines.triangularView<Eigen::StrictlyUpper>() = cosines.transpose();
}

// Rows of different blocks are orthogonal: every block is a problem of its own.
std::vector<WeightsResult> BlockByBlock(const Encodings& encodings, const Vector& norms,
                                        std::span<const double> gammas,
                                        const DemocraticOptions& options) {
  const std::vector<Group> groups = GroupByBlock(encodings);
  const auto make = [&](Index k, sinkhorn::Kernel& kernel) {
    const Group& group = groups[k];
    kernel.Resize(static_cast<Index>(group.size()));
    for (std::size_t i = 0; i < group.size(); ++i) kernel.norms[i] = norms[group[i].row];
    BlockCosines(encodings, group, norms, kernel.cosines());
  };
  const Index largest = LargestGroup(groups);
  const auto solutions = sinkhorn::SolveAll(static_cast<Index>(groups.size()), largest,
                                            KernelBytes(largest), make, gammas, options);
  const auto row_of = [&](Index k, Index i) { return groups[k][i].row; };
  return CollectAll(solutions, encodings.num_rows(), row_of, options);
}

// Rows share blocks: one problem, whose kernel is the sum of what the blocks add.
std::vector<WeightsResult> AllRowsTogether(const Encodings& encodings, const Vector& norms,
                                           std::span<const double> gammas,
                                           const DemocraticOptions& options) {
  const std::vector<Group> groups = GroupByBlock(encodings);
  const Index num_rows = encodings.num_rows();
  const auto make = [&](Index, sinkhorn::Kernel& kernel) {
    kernel.Resize(num_rows);
    kernel.norms = norms;
    Eigen::Map<EigenMatrix> sum = kernel.cosines();
    sum.setZero();
    for (const Group& group : groups) {
      const auto count = static_cast<Index>(group.size());
      Matrix cosines(count, count);
      BlockCosines(encodings, group, norms, cosines);
      for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < count; ++j) sum(group[i].row, group[j].row) += cosines(i, j);
      }
    }
  };
  const double bytes = KernelBytes(num_rows) + KernelBytes(LargestGroup(groups));
  return CollectAll(sinkhorn::SolveAll(1, num_rows, bytes, make, gammas, options), num_rows,
                    SameRow, options);
}

// Without clipping, products with the rows do for the kernel.
std::vector<WeightsResult> MatrixFree(const Encodings& encodings, const Vector& norms,
                                      std::span<const double> gammas,
                                      const DemocraticOptions& options) {
  const auto over_norms = [&](const Vector& v) -> Vector {
    return (norms.array() > 0).select(v.array() / norms.array(), 0.0);
  };
  const auto times_cosines = [&](const Vector& u) -> Vector {
    const Vector sum = WeightedSum(encodings, over_norms(u), options.threads);
    return over_norms(Similarities(encodings, sum, options.threads));
  };
  std::vector<WeightsResult> results;
  DemocraticOptions one = options;
  for (const double gamma : gammas) {
    one.gamma = gamma;
    results.push_back(sinkhorn::Collect({sinkhorn::Solve(norms, times_cosines, one)}, norms.size(),
                                        SameRow, one));
  }
  return results;
}

// The weights of every gamma, in the place of that of the options.
std::vector<WeightsResult> SolvePath(const Encodings& encodings, std::span<const double> gammas,
                                     const DemocraticOptions& options) {
  // gamma = 1 is solved by alpha = 1 for every kernel: there is no need to look at it.
  if (std::ranges::all_of(gammas, [](double gamma) { return gamma == 1; })) {
    return std::vector(gammas.size(),
                       sinkhorn::Collect({}, encodings.num_rows(), SameRow, options));
  }
  const Vector norms = RowNorms(encodings);
  if (!options.clip_negative) return MatrixFree(encodings, norms, gammas, options);
  return encodings.one_block_per_row() ? BlockByBlock(encodings, norms, gammas, options)
                                       : AllRowsTogether(encodings, norms, gammas, options);
}

// SolvePath() on evenly spaced rows, if there are more than the options allow.
std::vector<WeightsResult> SolvePathOnSome(const Encodings& encodings,
                                           std::span<const double> gammas,
                                           const DemocraticOptions& options) {
  const Index count = encodings.num_rows(), most = options.most_rows;
  if (most == 0 || count <= most) return SolvePath(encodings, gammas, options);
  std::vector<Index> some(static_cast<std::size_t>(most));
  for (Index i = 0; i < most; ++i) some[static_cast<std::size_t>(i)] = i * count / most;
  std::vector<WeightsResult> results = SolvePath(encodings.Select(some), gammas, options);
  for (WeightsResult& result : results) {
    Vector weights = Vector::Zero(count);
    for (Index i = 0; i < most; ++i) weights[some[static_cast<std::size_t>(i)]] = result.weights[i];
    result.weights = std::move(weights);
  }
  return results;
}

// Whether one set of kernels serves both.
bool ShareKernels(const DemocraticOptions& a, const DemocraticOptions& b) {
  return a.tolerance == b.tolerance && a.max_iterations == b.max_iterations &&
         a.clip_negative == b.clip_negative && a.most_rows == b.most_rows &&
         a.max_memory_mib == b.max_memory_mib;
}

// Checks a kernel matrix and splits it. `name` is how messages call it.
void SplitKernel(const MatrixView& kernel, const std::string& name, sinkhorn::Kernel& split) {
  CheckKernel(kernel, name);
  const Index size = kernel.rows();
  split.Resize(size);
  split.norms = kernel.diagonal().cwiseMax(0).cwiseSqrt();
  const Vector& d = split.norms;
  Eigen::Map<EigenMatrix> cosines = split.cosines();
  cosines.setZero();
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      // Within the slack of the checks a cosine can leave [-1, 1], far if the norms are small.
      if (d[i] > 0 && d[j] > 0) {
        cosines(i, j) = std::clamp(kernel(i, j) / d[i] / d[j], -1.0, 1.0);
      }
    }
  }
}

}  // namespace

void Check(const DemocraticOptions& o) {
  Require(o.gamma >= 0 && o.gamma <= 1, "democratic.gamma", "in [0, 1]", o.gamma);
  Require(o.tolerance >= 0, "democratic.tolerance", ">= 0", o.tolerance);
  Require(o.max_iterations >= 1, "democratic.max_iterations", ">= 1", o.max_iterations);
  Require(o.most_rows >= 0, "democratic.most_rows", ">= 0", o.most_rows);
  if (o.most_rows > 0 && !o.clip_negative) {
    throw InvalidArgument("democratic.most_rows",
                          "must be 0 without clip_negative, which needs no kernel",
                          std::to_string(o.most_rows));
  }
  Require(o.max_memory_mib > 0, "democratic.max_memory_mib", "> 0", o.max_memory_mib);
  Require(o.threads >= 1, "threads", ">= 1", o.threads);
}

std::vector<DemocraticOptions> ForGammas(std::span<const double> gammas,
                                         const DemocraticOptions& options) {
  std::vector<DemocraticOptions> path(gammas.size(), options);
  for (std::size_t g = 0; g < path.size(); ++g) path[g].gamma = gammas[g];
  return path;
}

WeightsResult DemocraticWeights(const Encodings& encodings, const DemocraticOptions& options) {
  return std::move(DemocraticPath(encodings, std::span(&options, 1))[0]);
}

std::vector<WeightsResult> DemocraticPath(const Encodings& encodings,
                                          std::span<const DemocraticOptions> path) {
  for (const DemocraticOptions& options : path) Check(options);
  std::vector<WeightsResult> all(path.size());
  std::vector<bool> done(path.size(), false);
  for (std::size_t first = 0; first < path.size(); ++first) {
    if (done[first]) continue;
    DemocraticOptions options = path[first];
    std::vector<std::size_t> members;
    std::vector<double> gammas;
    for (std::size_t i = first; i < path.size(); ++i) {
      if (done[i] || !ShareKernels(options, path[i])) continue;
      done[i] = true;
      members.push_back(i);
      gammas.push_back(path[i].gamma);
      options.threads = std::max(options.threads, path[i].threads);
    }
    std::vector<WeightsResult> part = SolvePathOnSome(encodings, gammas, options);
    for (std::size_t k = 0; k < members.size(); ++k) all[members[k]] = std::move(part[k]);
  }
  return all;
}

WeightsResult DemocraticWeights(const MatrixView& kernel, const DemocraticOptions& options) {
  Check(options);
  const auto make = [&](Index, sinkhorn::Kernel& split) { SplitKernel(kernel, "kernel", split); };
  const auto solutions = sinkhorn::SolveAll(1, kernel.rows(), KernelBytes(kernel.rows()), make,
                                            std::array{options.gamma}, options);
  return sinkhorn::Collect(solutions[0], kernel.rows(), SameRow, options);
}

WeightsResult DemocraticWeights(std::span<const Matrix> diagonal_blocks,
                                const DemocraticOptions& options) {
  Check(options);
  std::vector<Index> first_row{0};
  Index largest = 0;
  for (const Matrix& block : diagonal_blocks) {
    first_row.push_back(first_row.back() + block.rows());
    largest = std::max(largest, block.rows());
  }
  const auto make = [&](Index k, sinkhorn::Kernel& split) {
    SplitKernel(diagonal_blocks[k], fmt::format("kernel block {}", k), split);
  };
  const auto solutions =
      sinkhorn::SolveAll(static_cast<Index>(diagonal_blocks.size()), largest, KernelBytes(largest),
                         make, std::array{options.gamma}, options);
  const auto row_of = [&](Index k, Index i) { return first_row[k] + i; };
  return sinkhorn::Collect(solutions[0], first_row.back(), row_of, options);
}

}  // namespace alcedo
