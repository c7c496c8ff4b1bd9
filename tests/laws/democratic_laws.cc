// Democratic and gamma-democratic weights, by the equation that defines them:
// alpha_n sum_m K_nm alpha_m = (sum_m K_nm)^gamma, with negative kernel values replaced by 0.
#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/democratic.h"
#include "alcedo/pooling/elementary.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

Table Clipped(Table kernel) {
  for (Real& k : kernel.values) k = std::max(k, Real{0});
  return kernel;
}

// The largest relative deviation of a contribution; rows without similarities must have the
// weight 1.
double Deviation(const Table& kernel, double gamma, const Vector& weights) {
  if (weights.size() != kernel.rows) return std::nan("");
  const Reals sums = Times(kernel, Reals(kernel.rows, 1));
  const Reals k_a = Times(kernel, Reals(weights.begin(), weights.end()));
  Real worst = 0;
  for (Index n = 0; n < kernel.rows; ++n) {
    if (std::isnan(weights[n])) return std::nan("");
    if (sums[n] <= 0) {
      worst = std::max<Real>(worst, std::abs(weights[n] - 1));
    } else {
      worst = std::max(worst, std::abs(weights[n] * k_a[n] / std::pow(sums[n], Real(gamma)) - 1));
    }
  }
  return static_cast<double>(worst);
}

double AnyGamma(Random& random) { return random.Pick({0.0, 0.0, 0.3, 0.5, 0.9, random.Uniform()}); }

constexpr double kTolerance = 1.01e-4;  // the default, and the rounding of the check itself

TEST(DemocraticLaws, EveryRowContributesItsShare) {
  int cases = 0, converged = 0;
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const DemocraticOptions options{.gamma = AnyGamma(random)};
    const WeightsResult result = DemocraticWeights(problem.Build(), options);
    ++cases;
    converged += result.report.converged;
    if (result.weights.size() > 0) {
      EXPECT_GT(result.weights.minCoeff(), 0) << problem;
    }
    if (!result.report.converged) {
      EXPECT_FALSE(result.report.reason.empty()) << problem;
      return;
    }
    EXPECT_LE(Deviation(Clipped(Gram(problem.Dense())), options.gamma, result.weights), kTolerance)
        << "gamma " << options.gamma << problem;
  });
  if (AllCasesRun()) {
    EXPECT_GE(converged, 0.9 * cases);
  }
}

TEST(DemocraticLaws, TheKernelAloneIsEnough) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const DemocraticOptions options{.gamma = AnyGamma(random)};
    const Table kernel = Gram(problem.Dense());
    const WeightsResult dense = DemocraticWeights(ToMatrix(kernel), options);
    if (dense.report.converged) {
      EXPECT_LE(Deviation(Clipped(kernel), options.gamma, dense.weights), kTolerance) << problem;
    }
    if (problem.layout != Layout::kOneBlockPerRow) return;
    std::vector<Matrix> blocks;
    for (const std::vector<Index>& members : problem.RowsOfBlocks())
      blocks.push_back(ToMatrix(Gram(problem.Select(members).Dense())));
    const WeightsResult split = DemocraticWeights(blocks, options);
    if (!split.report.converged) return;
    Index begin = 0;
    for (const std::vector<Index>& members : problem.RowsOfBlocks()) {
      const Index size = static_cast<Index>(members.size());
      const Table block = Clipped(Gram(problem.Select(members).Dense()));
      EXPECT_LE(Deviation(block, options.gamma, split.weights.segment(begin, size)), kTolerance)
          << "gamma " << options.gamma << problem;
      begin += size;
    }
    EXPECT_EQ(begin, split.weights.size());
  });
}

TEST(DemocraticLaws, WithoutClippingPositiveKernelsStayTheSame) {
  ForEachCase(2000, [&](Random& random) {
    Problem problem = AnyProblem(random);
    problem.values = problem.values.cwiseAbs();
    const DemocraticOptions options{.gamma = AnyGamma(random), .clip_negative = false};
    const WeightsResult result = DemocraticWeights(problem.Build(), options);
    if (!result.report.converged) return;
    EXPECT_LE(Deviation(Gram(problem.Dense()), options.gamma, result.weights), kTolerance)
        << "gamma " << options.gamma << problem;
  });
}

TEST(DemocraticLaws, GammaOneIsSumPooling) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Encodings encodings = problem.Build();
    const DemocraticOptions options{.gamma = 1, .clip_negative = random.Chance(0.8)};
    const WeightsResult result = DemocraticWeights(encodings, options);
    for (const double weight : result.weights) EXPECT_NEAR(weight, 1, 1e-9) << problem;
    const Vector sum = PoolSum(encodings), phi = WeightedSum(encodings, result.weights);
    const double magnitude = problem.values.size() == 0 ? 0 : problem.values.cast<double>().norm();
    EXPECT_LE((phi - sum).norm(), 1e-6 * magnitude) << problem;
  });
}

}  // namespace
}  // namespace alcedo::laws
