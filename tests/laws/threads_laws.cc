// No result depends on the number of threads, to the last bit.
#include <cstring>
#include <functional>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/accumulator.h"
#include "alcedo/pooling/democratic.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

// All numbers that a call gave, one after the other, so that they can be compared as bytes.
using Numbers = std::vector<double>;

void Append(Numbers& numbers, const SolveReport& report) {
  numbers.insert(numbers.end(),
                 {report.lambda, report.lambda_relative, report.residual, report.error_bound,
                  static_cast<double>(report.iterations), static_cast<double>(report.converged)});
}
Numbers ToNumbers(const Vector& v) { return Numbers(v.begin(), v.end()); }
Numbers ToNumbers(const GmpResult& result) {
  Numbers numbers = ToNumbers(result.phi);
  Append(numbers, result.report);
  return numbers;
}
Numbers ToNumbers(const WeightsResult& result) {
  Numbers numbers = ToNumbers(result.weights);
  Append(numbers, result.report);
  return numbers;
}
Numbers ToNumbers(const GmpPath& path) {
  Numbers numbers(path.phi.data(), path.phi.data() + path.phi.size());
  for (const SolveReport& report : path.reports) Append(numbers, report);
  return numbers;
}

void ExpectSameBytes(const std::function<Numbers(int threads)>& call, const std::string& name,
                     const Problem& problem) {
  const Numbers one = call(1);
  for (const int threads : {2, 3, 8}) {
    const Numbers many = call(threads);
    ASSERT_EQ(many.size(), one.size()) << name << problem;
    if (one.empty()) continue;
    EXPECT_EQ(std::memcmp(many.data(), one.data(), one.size() * sizeof(double)), 0)
        << name << " with " << threads << " threads" << problem;
  }
}

void ExpectNoThreadMatters(Random& random, const Problem& problem, bool kernels) {
  const Encodings encodings = problem.Build();
  const double lambda = random.LogUniform(1e-3, 1e3);
  for (const auto& [solver, name] : EnumNames<GmpSolver>::values) {
    ExpectSameBytes(
        [&](int threads) {
          return ToNumbers(PoolGmp(encodings, {.lambda = lambda,
                                               .relative = true,
                                               .solver = solver,
                                               .max_iterations = 200,
                                               .threads = threads}));
        },
        "PoolGmp " + std::string(name), problem);
  }
  const std::vector<double> lambdas = {lambda, 10 * lambda, 1e3};
  ExpectSameBytes(
      [&](int threads) {
        return ToNumbers(
            PoolGmpPath(encodings, ForLambdas(lambdas, {.relative = true, .threads = threads})));
      },
      "PoolGmpPath", problem);
  const Vector phi = Vector::LinSpaced(problem.dimension(), -1, 2);
  const Vector weights = Vector::LinSpaced(problem.num_rows(), 2, -1);
  ExpectSameBytes([&](int threads) { return ToNumbers(Similarities(encodings, phi, threads)); },
                  "Similarities", problem);
  ExpectSameBytes([&](int threads) { return ToNumbers(WeightedSum(encodings, weights, threads)); },
                  "WeightedSum", problem);
  GmpAccumulator accumulator(problem.num_blocks, problem.block_size,
                             problem.layout == Layout::kSeveralBlocksPerRow
                                 ? GmpAccumulator::Layout::kSeveralBlocksPerRow
                                 : GmpAccumulator::Layout::kOneBlockPerRow);
  accumulator.Add(encodings);
  ExpectSameBytes(
      [&](int threads) {
        return ToNumbers(
            accumulator.Solve(ForLambdas(lambdas, {.relative = true, .threads = threads})));
      },
      "GmpAccumulator", problem);
  if (!kernels) return;
  ExpectSameBytes(
      [&](int threads) {
        return ToNumbers(
            GmpWeights(encodings, {.lambda = lambda, .relative = true, .threads = threads}));
      },
      "GmpWeights", problem);
  if (encodings.squared_norm() > 0)
    ExpectSameBytes(
        [&](int threads) {
          return ToNumbers(GmpWeightsNonNegative(
              encodings, {.lambda = lambda, .relative = true, .threads = threads}));
        },
        "GmpWeightsNonNegative", problem);
  ExpectSameBytes(
      [&](int threads) { return ToNumbers(DemocraticWeights(encodings, {.threads = threads})); },
      "DemocraticWeights", problem);
}

TEST(ThreadsLaws, SmallProblems) {
  ForEachCase(1000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.large = true});
    ExpectNoThreadMatters(random, problem, true);
  });
}

// Large enough that work is really divided: many rows, many blocks, blocks of very different size.
TEST(ThreadsLaws, LargeProblems) {
  ForEachCase(12, [&](Random& random) {
    Problem problem;
    problem.kind = "normal";
    problem.layout = random.Pick({Layout::kDense, Layout::kOneBlockPerRow});
    problem.num_blocks = problem.layout == Layout::kDense ? 1 : random.Integer(2, 40);
    problem.block_size = random.Integer(8, 48);
    const Index rows = random.Integer(500, 1500);
    problem.values.resize(rows, problem.block_size);
    for (Index n = 0; n < rows; ++n) {
      const double u = random.Uniform();
      problem.blocks.push_back(static_cast<std::int32_t>(u * u * problem.num_blocks));
      problem.offsets.push_back(n + 1);
      for (Index j = 0; j < problem.block_size; ++j)
        problem.values(n, j) = static_cast<float>(random.Normal());
    }
    if (problem.layout == Layout::kOneBlockPerRow && random.Chance(0.3))
      problem = problem.As(Layout::kSeveralBlocksPerRow);
    ExpectNoThreadMatters(random, problem, false);
  });
}

}  // namespace
}  // namespace alcedo::laws
