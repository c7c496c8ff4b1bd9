// Finite in, finite out: whatever float can hold, for every function.
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/pool.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kSmallestNormal = std::numeric_limits<float>::min();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

// One kind of extreme per problem, or all of them mixed.
float Extreme(Random& random, Index kind) {
  const float sign = random.Chance(0.5) ? 1.0f : -1.0f;
  switch (kind) {
    case 0:
      return sign * kLargest;
    case 1:
      return sign * kSmallest * static_cast<float>(random.Integer(0, 5));
    case 2:
      return sign * kSmallestNormal * static_cast<float>(random.Uniform());
    case 3:
      return kLargest;  // identical rows
    case 4:
      return kSmallest;
    case 5:
      return 0;
    default:
      return Extreme(random, random.Integer(0, 5)) * (random.Chance(0.5) ? 1.0f : 1e-20f);
  }
}

Problem ExtremeProblem(Random& random) {
  Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
  const Index kind = random.Integer(0, 7);
  if (kind == 7) return problem;
  problem.kind = "extreme " + std::to_string(kind);
  for (Index e = 0; e < problem.values.rows(); ++e)
    for (Index j = 0; j < problem.block_size; ++j) problem.values(e, j) = Extreme(random, kind);
  return problem;
}

void ExpectFinite(const Vector& v, const char* name, const Problem& problem) {
  EXPECT_TRUE(v.allFinite()) << name << problem;
}
void ExpectFinite(const SolveReport& report, const char* name, const Problem& problem) {
  EXPECT_TRUE(std::isfinite(report.lambda)) << name << problem;
  EXPECT_TRUE(std::isfinite(report.lambda_relative)) << name << problem;
  EXPECT_TRUE(std::isfinite(report.residual)) << name << problem;
  EXPECT_GE(report.error_bound, 0) << name << problem;  // infinity where none is known
}
void ExpectFinite(const WeightsResult& result, const char* name, const Problem& problem) {
  ExpectFinite(result.weights, name, problem);
  ExpectFinite(result.report, name, problem);
}

GmpOptions AnyGmpOptions(Random& random) {
  GmpOptions options;
  options.relative = random.Chance(0.5);
  options.lambda = options.relative ? random.Pick({0.0, 1e-12, 1e-3, 1.0, 1e6, 1e12})
                                    : random.Pick({0.0, 1e-60, 1e-12, 1e-3, 100.0, 1e60, 1e200});
  options.max_iterations = 500;
  return options;
}

TEST(FiniteLaws, GmpOfExtremes) {
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = ExtremeProblem(random);
    const Encodings encodings = problem.Build();
    GmpOptions options = AnyGmpOptions(random);
    for (const auto& [solver, name] : EnumNames<GmpSolver>::values) {
      options.solver = solver;
      const GmpResult result = PoolGmp(encodings, options);
      SCOPED_TRACE(::testing::Message()
                   << name << ", lambda " << options.lambda << ", relative " << options.relative);
      ExpectFinite(result.phi, "PoolGmp", problem);
      ExpectFinite(result.report, "PoolGmp", problem);
    }
    options.solver = GmpSolver::kAuto;
    const std::vector<double> lambdas = {0, 1e-3, 1e3, options.lambda};
    const GmpPath path = PoolGmpPath(encodings, ForLambdas(lambdas, options));
    EXPECT_TRUE(path.phi.allFinite()) << "PoolGmpPath" << problem;
    for (const SolveReport& report : path.reports) ExpectFinite(report, "PoolGmpPath", problem);
    GmpAccumulator accumulator(problem.num_blocks, problem.block_size,
                               GmpAccumulator::Layout::kSeveralBlocksPerRow);
    accumulator.Add(encodings);
    accumulator.Merge(GmpAccumulator(accumulator));
    const GmpPath streamed = accumulator.Solve(ForLambdas(lambdas, options));
    EXPECT_TRUE(streamed.phi.allFinite()) << "GmpAccumulator" << problem;
    for (const SolveReport& report : streamed.reports)
      ExpectFinite(report, "GmpAccumulator", problem);
  });
}

TEST(FiniteLaws, WeightsOfExtremes) {
  ForEachCase(5000, [&](Random& random) {
    const Problem problem = ExtremeProblem(random);
    const Encodings encodings = problem.Build();
    const Matrix kernel = ToMatrix(Gram(problem.Dense()));
    GmpOptions options = AnyGmpOptions(random);
    SCOPED_TRACE(::testing::Message()
                 << "lambda " << options.lambda << ", relative " << options.relative);
    ExpectFinite(GmpWeights(encodings, options), "GmpWeights", problem);
    ExpectFinite(GmpWeights(kernel, options), "GmpWeights of a kernel", problem);
    // Without any lambda the non-negative problem need not have a solution.
    if (options.lambda > 0 && (!options.relative || kernel.trace() > 0)) {
      ExpectFinite(GmpWeightsNonNegative(encodings, options), "GmpWeightsNonNegative", problem);
      ExpectFinite(GmpWeightsNonNegative(kernel, options), "non-negative, of a kernel", problem);
    }
    const DemocraticOptions democratic{.gamma = random.Pick({0.0, 0.5, 1.0}),
                                       .clip_negative = random.Chance(0.7)};
    ExpectFinite(DemocraticWeights(encodings, democratic), "DemocraticWeights", problem);
    ExpectFinite(DemocraticWeights(kernel, democratic), "DemocraticWeights of a kernel", problem);
  });
}

// Kernels are double, and reach further than those of float rows.
TEST(FiniteLaws, WeightsOfExtremeKernels) {
  ForEachCase(3000, [&](Random& random) {
    const Problem problem =
        AnyProblem(random, {.max_rows = 20, .max_dimension = 20, .scales = false});
    const double scale = random.LogUniform(1e-270, 1e270);
    const Matrix kernel = scale * ToMatrix(Gram(problem.Dense()));
    const GmpOptions options{.lambda = random.Pick({0.0, 1e-3, 1.0, 1e6}), .relative = true};
    SCOPED_TRACE(::testing::Message() << "kernel times " << scale << ", lambda " << options.lambda);
    ExpectFinite(GmpWeights(kernel, options), "GmpWeights", problem);
    if (options.lambda > 0 && kernel.trace() > 0) {
      ExpectFinite(GmpWeightsNonNegative(kernel, options), "GmpWeightsNonNegative", problem);
    }
    ExpectFinite(DemocraticWeights(kernel), "DemocraticWeights", problem);
  });
}

TEST(FiniteLaws, ElementaryPoolingAndNormalisationOfExtremes) {
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = ExtremeProblem(random);
    const Encodings encodings = problem.Build();
    const double inf = std::numeric_limits<double>::infinity();
    const LpOptions lp{.p = random.Pick({1.0, 1.5, 2.0, 17.0, 1e4, inf}),
                       .keep_sign = random.Chance(0.5)};
    const SoftmaxOptions softmax{.beta = random.Pick({0.0, 1e-300, 1e-40, 1.0, 1e40, 1e200, 1e300}),
                                 .log_sum_exp = random.Chance(0.5)};
    std::vector<Vector> pooled = {PoolSum(encodings), PoolMean(encodings), PoolMax(encodings)};
    pooled.push_back(PoolLp(encodings, lp));
    pooled.push_back(PoolSoftmax(encodings, softmax));
    SCOPED_TRACE(::testing::Message() << "p " << lp.p << ", keep_sign " << lp.keep_sign << ", beta "
                                      << softmax.beta << ", log " << softmax.log_sum_exp);
    for (Vector& phi : pooled) {
      ExpectFinite(phi, "elementary", problem);
      PowerNormalize(phi, random.Pick({0.0, 0.5, 1.0}));
      ExpectFinite(phi, "PowerNormalize", problem);
      Vector blocks = phi;
      BlockL2Normalize(blocks, problem.block_size);
      ExpectFinite(blocks, "BlockL2Normalize", problem);
      L2Normalize(phi);
      ExpectFinite(phi, "L2Normalize", problem);
      EXPECT_LE(phi.norm(), 1 + 1e-12) << problem;
    }
  });
}

}  // namespace
}  // namespace alcedo::laws
