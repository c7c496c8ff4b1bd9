// GMP and its weights against what people use instead.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <fstream>

#include "alcedo/base/types.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"
#include "data.h"
#include "harness.h"
#include "peers.h"
#include "python_peers.h"

namespace alcedo::bench {
namespace {

constexpr Index kRows = 10000;
constexpr double kPaperLambdas[] = {10, 100, 1000, 1e4, 1e5};
constexpr double kFisherLambda = 1e4;

Vector ToVector(const std::vector<float>& x) {
  return Eigen::Map<const Eigen::VectorXf>(x.data(), static_cast<Index>(x.size())).cast<double>();
}

// Only the residual counts, so that both sides solve the same task.
GmpOptions OnlyResidual(double lambda, double tolerance) {
  GmpOptions options;
  options.lambda = lambda;
  options.tolerance = tolerance;
  options.accuracy = std::numeric_limits<double>::infinity();
  return options;
}

void Dense(std::vector<Row>& rows_out) {
  const Rows rows = EmkLikeRows(kRows, 2048);
  const Encodings encodings = Encodings::DenseView(rows);
  const double lambda = kPaperLambdas[0], tolerance = 1e-5;
  GmpResult ours;
  PeerResult peer;
  const auto solve = [&] { ours = PoolGmp(encodings, OnlyResidual(lambda, tolerance)); };
  const auto note = [&] {
    return fmt::format("{} {} iterations, residual {:.1e}; peer {} and {:.1e}", ours.report.solver,
                       ours.report.iterations, ours.report.residual, peer.iterations,
                       TrueResidual(encodings, lambda, ToVector(peer.x)));
  };
  auto medians = Compare(solve, [&] { peer = CgWithSgemv(rows, lambda, tolerance, 10000); }, 11);
  rows_out.push_back(MakeRow("gmp/dense-2048", "CG with cblas_sgemv", medians, 2, note()));
  medians = Compare(solve, [&] { peer = GramCholeskyOpenBlas(rows, lambda); }, 3);
  rows_out.push_back(MakeRow("gmp/dense-2048", "Gram + Cholesky, OpenBLAS", medians, 0, note()));
  medians = Compare(solve, [&] { peer = GramCholeskyEigen(rows, lambda); }, 1);
  rows_out.push_back(MakeRow("gmp/dense-2048", "Gram + LLT, Eigen", medians, 0, note()));

  // Every lambda of the paper at once, against the smallest alone, and against one run each.
  GmpPath path;
  const auto solve_path = [&] {
    path = PoolGmpPath(encodings, ForLambdas(kPaperLambdas, OnlyResidual(0, tolerance)));
  };
  medians = Compare(solve_path, solve, 11);
  Row row = MakeRow("path/dense-2048 five lambdas", "the smallest lambda alone", medians, 0, "");
  row.goal = ">= 0.77";  // at most 1.3 times the time
  row.reached = medians.ours <= 1.3 * medians.peer;
  row.note = fmt::format("{:.2f} times the time of one", medians.ours / medians.peer);
  rows_out.push_back(row);
  medians = Compare(
      solve_path,
      [&] {
        for (double l : kPaperLambdas) CgWithSgemv(rows, l, tolerance, 10000);
      },
      7);
  rows_out.push_back(
      MakeRow("path/dense-2048 five lambdas", "five CG runs with cblas_sgemv", medians, 0, ""));
}

void Blocks(std::vector<Row>& rows_out) {
  const Encodings encodings = FisherLikeEncodings(kRows, 256);
  GmpResult ours;
  PeerResult peer;
  const auto solve = [&] { ours = PoolGmp(encodings, OnlyResidual(kFisherLambda, 1e-5)); };
  const auto medians =
      Compare(solve, [&] { peer = BlockwiseLapack(encodings, kFisherLambda); }, 31);
  rows_out.push_back(MakeRow(
      "gmp/256 blocks of 128", "LAPACK per block, smaller space", medians, 3,
      fmt::format("{}, residual {:.1e}; peer {:.1e}", ours.report.solver, ours.report.residual,
                  TrueResidual(encodings, kFisherLambda, ToVector(peer.x)))));
  std::string why;
  const auto python = RunPythonPeers(encodings, kFisherLambda, why);
  const auto add = [&](const char* key, const char* name, double goal) {
    if (const auto it = python.find(key); it != python.end()) {
      rows_out.push_back(
          MakeRow("gmp/256 blocks of 128", name, {medians.ours, it->second}, goal, ""));
    } else {
      fmt::print(stderr, "skipped {}: {}\n", name,
                 why.empty() ? "scikit-learn is not installed" : why);
    }
  };
  add("numpy", "NumPy per block, smaller space", 3);
  add("ridge", "ridge with sparse_cg per cluster", 30);
}

void Weights(std::vector<Row>& rows_out) {
  for (Index blocks : {16, 256}) {
    const Encodings encodings = FisherLikeEncodings(kRows, blocks);
    WeightsResult ours;
    PeerResult peer;
    const auto solve = [&] { ours = GmpWeights(encodings, OnlyResidual(kFisherLambda, 1e-5)); };
    const auto compare = [&](bool smaller, const char* name) {
      const auto medians = Compare(
          solve, [&] { peer = BlockwiseLapackWeights(encodings, kFisherLambda, smaller); }, 15);
      const Vector difference = ours.weights - ToVector(peer.x);
      rows_out.push_back(
          MakeRow(fmt::format("weights/{} blocks of 128", blocks), name, medians, 1.5,
                  fmt::format("{}, {} iterations; differ by {:.1e}", ours.report.solver,
                              ours.report.iterations, difference.norm() / ours.weights.norm())));
    };
    compare(false, "LAPACK per block (Eq. 10)");
    compare(true, "LAPACK per block, smaller space");
  }
}

// Peak of the process's resident memory since it was last reset, in bytes; 0 where the kernel won't
// say.
double PeakResident() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024;
  }
  return 0;
}

void Memory(std::vector<Row>& rows_out) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = PeakResident();
  {
    const Encodings encodings = FisherLikeEncodings(kRows, 256);
    PoolGmp(encodings, OnlyResidual(kFisherLambda, 1e-5));
  }
  const double megabytes = (PeakResident() - before) / 1e6;
  Row row;
  row.kernel = "memory/256 blocks of 128";
  row.peer = "dense rows alone";
  row.unit = "MB";
  row.ours_ms = megabytes;
  row.peer_ms = kRows * 256.0 * 128 * 4 / 1e6;
  row.ratio = row.peer_ms / row.ours_ms;
  row.goal = "<= 12 MB";
  row.reached = before > 0 && megabytes <= 12;
  row.note = "peak resident memory of input, solver and result together";
  rows_out.push_back(row);
}

}  // namespace

std::vector<Group> GmpGroups() {
  return {{"memory", Memory}, {"dense", Dense}, {"blocks", Blocks}, {"weights", Weights}};
}

}  // namespace alcedo::bench
