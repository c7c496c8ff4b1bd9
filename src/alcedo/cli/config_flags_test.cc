#include "alcedo/cli/config_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/cli/encode_arguments.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/learn_arguments.h"
#include "alcedo/cli/parse_app.h"

namespace alcedo::cli {
namespace {

using testing::HasSubstr;

std::string Flag(std::string_view section, std::string_view field) {
  const FlagParts parts = FlagPartsOf(section, field);
  return FlagName(parts.prefix, parts.field);
}

std::string Message(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

EncodeJob Encode(const std::vector<std::string>& args, const EncodeConfig& config = {}) {
  EncodeArguments arguments(config);
  arguments.Parse(args);
  arguments.CheckFlags(arguments.job().config);
  return arguments.job();
}

TEST(ConfigFlags, NamesSayEnough) {
  EXPECT_EQ(Flag("", "block_l2"), "--block-l2");
  EXPECT_EQ(Flag("image", "max_pixels"), "--max-pixels");
  EXPECT_EQ(Flag("grid", "scale_factor"), "--scale-factor");
  EXPECT_EQ(Flag("sift", "root"), "--sift-root");
  EXPECT_EQ(Flag("gmm", "gaussians"), "--gaussians");
  EXPECT_EQ(Flag("gmm", "max_iterations"), "--gmm-max-iterations");
  EXPECT_EQ(Flag("gmp", "max_iterations"), "--max-iterations");
  EXPECT_EQ(Flag("gmp", "relative"), "--lambda-relative");
  EXPECT_EQ(Flag("soft_bov", "sigma"), "--soft-bov-sigma");
}

TEST(ConfigFlags, EveryFieldHasAFlagThatWorks) {
  const EncodeJob job = Encode({"a.jpg",
                                "-o",
                                "b.npy",
                                "--lambda",
                                "1,2",
                                "--lambda-relative",
                                "--pyramid",
                                "1,3x1",
                                "--power",
                                "0.5",
                                "--l2",
                                "--seed",
                                "7",
                                "--max-pixels",
                                "0",
                                "--sift-no-keep-flat",
                                "--encoder",
                                "fv",
                                "--fv-assignment",
                                "soft",
                                "--dtype",
                                "f8"});
  EXPECT_EQ(job.config.lambdas, (std::vector<double>{1, 2}));
  EXPECT_TRUE(job.config.gmp.relative);
  EXPECT_EQ(job.config.pyramid, "1,3x1");
  EXPECT_EQ(job.config.power, 0.5);
  EXPECT_TRUE(job.config.l2);
  EXPECT_EQ(job.config.seed, 7u);
  EXPECT_EQ(job.config.describe.image.max_pixels, 0);
  EXPECT_FALSE(job.config.describe.sift.keep_flat);
  EXPECT_EQ(job.config.fisher.assignment, FisherAssignment::kSoft);
  EXPECT_EQ(job.config.dtype, ValueType::kFloat64);
  EXPECT_EQ(job.form, VectorsForm::kNpy);
}

TEST(ConfigFlags, BothFormsOfABoolOverrideAFile) {
  EncodeConfig from_file;
  from_file.l2 = true;
  from_file.block_l2 = true;
  const EncodeJob job = Encode({"a.jpg", "-o", "b", "--no-l2", "--block-l2"}, from_file);
  EXPECT_FALSE(job.config.l2);
  EXPECT_TRUE(job.config.block_l2);
  EXPECT_EQ(job.form, VectorsForm::kStore);
  EXPECT_NE(Message([] { Encode({"a.jpg", "-o", "b.npy", "--l2", "--no-l2"}); }), "");
}

TEST(ConfigFlags, OfOtherChoicesAreRefused) {
  const auto message = [](std::vector<std::string> more) {
    more.insert(more.end(), {"a.jpg", "-o", "b.npy"});
    return Message([&] { Encode(more); });
  };
  EXPECT_EQ(message({"--pooling", "sum", "--lambda", "1"}),
            "--lambda goes with --pooling gmp, not with --pooling sum");
  EXPECT_EQ(message({"--encoder", "vlad", "--fv-assignment", "soft"}),
            "--fv-assignment goes with --encoder fv, not with --encoder vlad");
  EXPECT_EQ(message({"--encoder", "soft-bov", "--soft-bov-nearest", "3"}), "");
  EXPECT_EQ(message({"--descriptor", "external", "--max-pixels", "5"}),
            "--max-pixels goes with --descriptor sift or color, not with --descriptor external");
  EXPECT_EQ(message({"--descriptor", "color", "--sift-root"}),
            "--sift-root goes with --descriptor sift, not with --descriptor color");
  // Which encoder that is, the vocabulary will tell.
  EXPECT_EQ(message({"--encoder", "auto", "--fv-assignment", "soft"}), "");
  EncodeConfig other;
  other.pooling = PoolingKind::kSum;
  other.lambdas = {5};
  EXPECT_EQ(Message([&] { Encode({"a.jpg", "-o", "b.npy"}, other); }), "");
}

TEST(ConfigFlags, MessagesOfTheLibraryNameThem) {
  const Json config = ToJson(EncodeConfig{});
  EXPECT_EQ(WithConfigFlags("gmp.max_iterations must be >= 1, got 0", config),
            "--max-iterations must be >= 1, got 0");
  EXPECT_EQ(WithConfigFlags("fisher.posterior_threshold, sv.s and gmp.lambda.", config),
            "--fv-posterior-threshold, --sv-s and --lambda.");
  EXPECT_EQ(WithConfigFlags("in/grid.step.jpg, xgrid.step, grid.steps, a.grid.step", config),
            "in/grid.step.jpg, xgrid.step, grid.steps, a.grid.step");
  EXPECT_EQ(WithConfigFlags("power must be in [0, 1]: power", config),
            "--power must be in [0, 1]: power");
  EXPECT_EQ(WithConfigFlags("max_pixels must be >= 0, got -1", config),
            "--max-pixels must be >= 0, got -1");
  EXPECT_EQ(WithConfigFlags("gmm.gaussians must be >= 1", ToJson(LearnConfig{})),
            "--gaussians must be >= 1");
}

TEST(ConfigFlags, HelpShowsEveryOption) {
  EncodeArguments encode;
  LearnArguments learn;
  for (CLI::App* app : {&encode.app(), &learn.app()}) {
    const std::string help = app->help();
    for (const std::string& name : OptionNames(*app)) EXPECT_THAT(help, HasSubstr(name));
    EXPECT_EQ(help.find("Excludes"), std::string::npos);
  }
}

}  // namespace
}  // namespace alcedo::cli
