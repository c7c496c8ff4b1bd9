#include "alcedo/cli/pool_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PoolRequest Parse(const std::vector<std::string>& args) {
  PoolArguments arguments;
  return arguments.Parse(args).value();
}

std::string UsageMessage(std::vector<std::string> args) {
  try {
    Parse(std::move(args));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(PoolArguments, DefaultsAreThoseOfTheLibrary) {
  const BagJob job = Parse({"a.npy", "-o", "b.npy"}).job;
  const GmpOptions defaults;
  const auto& gmp = std::get<GmpOptions>(job.pooling.pooling);
  EXPECT_THAT(job.pooling.lambdas, ElementsAre(defaults.lambda));
  EXPECT_EQ(gmp.tolerance, defaults.tolerance);
  EXPECT_EQ(gmp.max_iterations, defaults.max_iterations);
  EXPECT_FALSE(gmp.relative);
  EXPECT_EQ(job.destination.form, BagForm::kNpy);
  EXPECT_EQ(job.destination.type, ValueType::kFloat32);
}

TEST(PoolArguments, FieldsBecomeFlags) {
  const BagJob job = Parse({"a.npy", "b.npy", "-o", "out/", "--lambda", "1,2", "--lambda-relative",
                            "--solver", "dual", "--max-iterations", "7", "--accuracy=inf"})
                         .job;
  const auto& gmp = std::get<GmpOptions>(job.pooling.pooling);
  EXPECT_THAT(job.inputs.paths, ElementsAre("a.npy", "b.npy"));
  EXPECT_THAT(job.pooling.lambdas, ElementsAre(1, 2));
  EXPECT_TRUE(gmp.relative);
  EXPECT_EQ(gmp.solver, GmpSolver::kDual);
  EXPECT_EQ(gmp.max_iterations, 7);
  EXPECT_EQ(gmp.accuracy, std::numeric_limits<double>::infinity());
  EXPECT_EQ(job.destination.form, BagForm::kFolder);
}

TEST(PoolArguments, FlagsOfOtherPoolingsCarryTheirName) {
  const BagJob job = Parse({"a.npy", "-o", "b.npy", "--pooling", "democratic", "--democratic-gamma",
                            "0.5", "--democratic-no-clip-negative"})
                         .job;
  const auto& democratic = std::get<DemocraticOptions>(job.pooling.pooling);
  EXPECT_EQ(democratic.gamma, 0.5);
  EXPECT_FALSE(democratic.clip_negative);
}

TEST(PoolArguments, ReportTakesAJsonFileAndNothingElse) {
  EXPECT_TRUE(Parse({"--report", "a.npy", "-o", "b.npy"}).report);
  EXPECT_THAT(Parse({"--report", "a.npy", "-o", "b.npy"}).job.inputs.paths, ElementsAre("a.npy"));
  const BagJob job = Parse({"a.npy", "--report", "r.json", "-o", "b.npy"}).job;
  EXPECT_EQ(job.destination.report, "r.json");
  EXPECT_THAT(job.inputs.paths, ElementsAre("a.npy"));
}

TEST(PoolArguments, EveryMistakeIsNamed) {
  const auto message = [](std::vector<std::string> extra) {
    extra.insert(extra.begin(), {"a.npy", "-o", "b.npy"});
    return UsageMessage(extra);
  };
  EXPECT_THAT(message({"--lamda", "1"}), HasSubstr("did you mean '--lambda'?"));
  EXPECT_THAT(message({"--pooling", "gnp"}), HasSubstr("did you mean 'gmp'?"));
  EXPECT_THAT(message({"--lambda", "ten"}), "--lambda: 'ten' is not a number");
  EXPECT_THAT(message({"--lp-p", "3"}), "--lp-p goes with --pooling lp, not with --pooling gmp");
  EXPECT_THAT(message({"--pooling", "sum", "--lambda", "1"}), HasSubstr("--lambda goes with"));
  EXPECT_THAT(message({"--pooling", "sum", "--weights", "w.npy"}),
              HasSubstr("--weights goes with --pooling gmp or democratic"));
  EXPECT_THAT(message({"--pooling", "max", "--report"}), HasSubstr("--report goes with"));
  EXPECT_THAT(message({"--pooling", "weighted"}), HasSubstr("--input-weights"));
  EXPECT_THAT(message({"--nonnegative", "--solver", "cg"}), HasSubstr("--nonnegative"));
  EXPECT_THAT(message({"--blocks", "k.npy"}),
              "--blocks needs the number of blocks; give it with --num-blocks");
  EXPECT_THAT(message({"--num-blocks", "3"}), "--num-blocks goes with blocks");
  EXPECT_THAT(message({"--resume"}), HasSubstr("--resume goes with an output folder"));
  EXPECT_THAT(message({"--weights", "w/"}), HasSubstr("--weights must be a .npy"));
  EXPECT_THAT(message({"--threads", "0"}), HasSubstr("[1, 1024]"));
  EXPECT_THAT(message({"--threads", "1025"}), HasSubstr("[1, 1024]"));
  EXPECT_THAT(message({"--report=r.txt"}), HasSubstr(".json"));
  EXPECT_NE(message({"--power"}), "");
  EXPECT_NE(message({"--power", "1", "--power", "0.5"}), "");
  EXPECT_THAT(UsageMessage({"a.npy"}), HasSubstr("-o"));
  EXPECT_THAT(UsageMessage({"-o", "b.npy"}), HasSubstr("INPUT"));
  EXPECT_THAT(UsageMessage({"a.npy", "-o", "b.txt"}), HasSubstr("b.txt"));
  EXPECT_THAT(UsageMessage({"-", "-", "-o", "b.npy"}), HasSubstr("once"));
}

}  // namespace
}  // namespace alcedo::cli
