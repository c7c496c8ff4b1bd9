#include "alcedo/pooling/sinkhorn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/huge_pages.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"

namespace alcedo::sinkhorn {
namespace {

Vector Multiply(const Eigen::Map<const EigenMatrix>& matrix, const Vector& u, int threads) {
  constexpr Index kRows = 128;  // fixed, so that the bytes do not depend on the threads
  Vector v(matrix.rows());
  ParallelFor((matrix.rows() + kRows - 1) / kRows, threads, [&](Index chunk) {
    const Index first = chunk * kRows, size = std::min(kRows, matrix.rows() - first);
    v.segment(first, size).noalias() = matrix.middleRows(first, size) * u;
  });
  return v;
}

// Kernels that no worker uses at the moment: at most as many as there are workers.
class Spares {
 public:
  explicit Spares(Index largest) : largest_(largest) {}
  std::unique_ptr<Kernel> Take() {
    const std::lock_guard lock(mutex_);
    if (kernels_.empty()) return std::make_unique<Kernel>(largest_);
    std::unique_ptr<Kernel> kernel = std::move(kernels_.back());
    kernels_.pop_back();
    return kernel;
  }
  void Return(std::unique_ptr<Kernel> kernel) {
    const std::lock_guard lock(mutex_);
    kernels_.push_back(std::move(kernel));
  }

 private:
  Index largest_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
};

}  // namespace

Kernel::Kernel(Index largest) : room_(largest * largest) {
  internal::AdviseHugePages(room_.data(), static_cast<std::size_t>(room_.size()) * sizeof(double));
}

void Kernel::Resize(Index size) {
  norms.resize(size);
  if (room_.size() < size * size)
    throw std::logic_error("sinkhorn: a kernel of more rows than said");
}

// alpha_n <- alpha_n sqrt(c_n / (alpha_n (K alpha)_n)). Near the solution an iteration multiplies
// the error by (1 - p) / 2, p the eigenvalues of alpha_n K_nm alpha_m / c_n: by at most 1/2 if K
// is positive semi-definite, and by less than 1 if it is only not negative.
Solution Solve(const Vector& norms, const Product& times_cosines,
               const DemocraticOptions& options) {
  Solution solution;
  solution.weights = Vector::Ones(norms.size());
  const double largest = norms.size() == 0 ? 0 : norms.maxCoeff();
  if (largest == 0 || options.gamma == 1) return solution;

  const Vector d = norms / largest;
  const Vector row_sums = d.cwiseProduct(times_cosines(d));
  Vector c = Vector::Ones(d.size());
  std::vector<Index> active;
  for (Index n = 0; n < d.size(); ++n) {
    if (d[n] == 0) continue;
    (row_sums[n] > 0 ? active : solution.opposed).push_back(n);
    if (row_sums[n] > 0) c[n] = std::pow(row_sums[n], options.gamma);
  }

  Vector u = d.array().pow(options.gamma);  // what every row would have alone
  for (;; ++solution.iterations) {
    const Vector v = times_cosines(u);
    solution.residual = 0;
    for (Index n : active) {
      solution.residual = std::max(solution.residual, std::abs(u[n] * v[n] - c[n]) / c[n]);
    }
    if (solution.residual <= options.tolerance) break;
    if (solution.iterations == options.max_iterations) break;
    for (Index n : active) {
      // Without clipping v can be anything, and there may be no solution to go to: stay in range.
      if (v[n] > 0) u[n] = std::clamp(std::sqrt(u[n] * c[n] / v[n]), 1e-100, 1e100);
    }
  }

  const double scale = std::pow(largest, options.gamma - 1);
  for (Index n = 0; n < d.size(); ++n) {
    if (d[n] > 0) solution.weights[n] = u[n] / d[n] * scale;
  }
  return solution;
}

std::vector<std::vector<Solution>> SolveAll(Index count, Index largest, double bytes,
                                            const std::function<void(Index, Kernel&)>& make,
                                            std::span<const double> gammas,
                                            const DemocraticOptions& options) {
  const double limit = options.max_memory_mib * (1 << 20);
  if (bytes > limit) {
    throw InvalidArgument(
        "democratic.max_memory_mib",
        fmt::format("must be at least {:.1f} for the kernel of these rows", bytes / (1 << 20)),
        fmt::format("{}", options.max_memory_mib),
        {"pool fewer rows, or encodings without a kernel, with", "democratic.clip_negative",
         "false"});
  }
  const double fit = std::floor(limit / std::max(bytes, 1.0));
  const int workers = static_cast<int>(std::min<double>(options.threads, fit));
  const int threads_inside = count == 1 ? options.threads : 1;
  std::vector<std::vector<Solution>> solutions(gammas.size(), std::vector<Solution>(count));
  Spares spares(largest);
  ParallelFor(count, workers, [&](Index k) {
    std::unique_ptr<Kernel> kernel = spares.Take();
    make(k, *kernel);
    if (options.clip_negative) kernel->cosines() = kernel->cosines().cwiseMax(0);
    const auto times = [&](const Vector& u) {
      return Multiply(std::as_const(*kernel).cosines(), u, threads_inside);
    };
    DemocraticOptions one = options;
    for (std::size_t g = 0; g < gammas.size(); ++g) {
      one.gamma = gammas[g];
      solutions[g][k] = Solve(kernel->norms, times, one);
    }
    spares.Return(std::move(kernel));
  });
  return solutions;
}

WeightsResult Collect(const std::vector<Solution>& solutions, Index num_rows,
                      const std::function<Index(Index, Index)>& row_of,
                      const DemocraticOptions& options) {
  WeightsResult result;
  result.weights = Vector::Ones(num_rows);
  SolveReport& report = result.report;
  report.solver = "sinkhorn";
  report.error_bound = std::numeric_limits<double>::infinity();
  std::vector<Index> opposed;
  for (Index k = 0; k < static_cast<Index>(solutions.size()); ++k) {
    const Solution& solution = solutions[k];
    for (Index i = 0; i < solution.weights.size(); ++i) {
      result.weights[row_of(k, i)] = solution.weights[i];
    }
    for (Index i : solution.opposed) opposed.push_back(row_of(k, i));
    report.iterations = std::max(report.iterations, solution.iterations);
    report.residual = std::max(report.residual, solution.residual);
  }
  if (report.residual > options.tolerance) {
    report.reason = fmt::format("Sinkhorn stopped after {} iterations at a deviation of {:.3g}",
                                report.iterations, report.residual);
    report.hint = {"raise", "democratic.max_iterations", ""};
  } else if (!opposed.empty()) {
    report.reason = fmt::format(
        "{} of {} rows are opposed to the rest and keep the weight they have alone, first row {}",
        opposed.size(), num_rows, *std::min_element(opposed.begin(), opposed.end()));
  }
  report.converged = report.reason.empty();
  return result;
}

}  // namespace alcedo::sinkhorn
