#include "alcedo/cli/config_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/cli/encode_command.h"
#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

using testing::AllOf;
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

EncodeRequest Encode(const std::vector<std::string>& args, const EncodeConfig& config = {}) {
  EncodeArguments arguments(config);
  arguments.Parse(args);
  arguments.CheckFlags(arguments.request().config);
  return arguments.request();
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
  const EncodeRequest job = Encode({"a.jpg",
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
  EXPECT_TRUE(job.config.pooling.Get<GmpOptions>().relative);
  EXPECT_EQ(job.config.pyramid, "1,3x1");
  EXPECT_EQ(job.config.normalization.power, 0.5);
  EXPECT_TRUE(job.config.normalization.l2);
  EXPECT_EQ(job.config.seed, 7u);
  EXPECT_EQ(job.config.describe.image.max_pixels, 0);
  EXPECT_FALSE(job.config.describe.descriptor.Get<SiftOptions>().keep_flat);
  EXPECT_EQ(job.config.encoder.Get<FisherOptions>().assignment, FisherAssignment::kSoft);
  EXPECT_EQ(job.config.dtype, ValueType::kFloat64);
  EXPECT_EQ(job.form, VectorForm::kNpy);
}

TEST(ConfigFlags, BothFormsOfABoolOverrideAFile) {
  EncodeConfig from_file;
  from_file.normalization.l2 = true;
  from_file.normalization.block_l2 = true;
  const EncodeRequest job = Encode({"a.jpg", "-o", "b", "--no-l2", "--block-l2"}, from_file);
  EXPECT_FALSE(job.config.normalization.l2);
  EXPECT_TRUE(job.config.normalization.block_l2);
  EXPECT_FALSE(job.form.has_value());
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
  EXPECT_THAT(message({"--descriptor", "external", "--max-pixels", "5"}),
              AllOf(HasSubstr("--max-pixels goes with --descriptor sift"),
                    HasSubstr("not with --descriptor external")));
  EXPECT_EQ(message({"--descriptor", "color", "--sift-root"}),
            "--sift-root goes with --descriptor sift, not with --descriptor color");
  // Which encoder that is, the vocabulary will tell.
  EXPECT_EQ(message({"--encoder", "auto", "--fv-assignment", "soft"}), "");
  EncodeConfig other;
  other.pooling.Choose<SumOptions>();
  other.lambdas = {5};
  EXPECT_EQ(Message([&] { Encode({"a.jpg", "-o", "b.npy"}, other); }), "");
}

TEST(ErrorText, NamesTheFlagsOfTheCommand) {
  EncodeArguments arguments;
  arguments.Parse({"a.jpg", "-o", "b.npy", "--max-iterations", "0"});
  EXPECT_EQ(ErrorText(InvalidArgument("gmp.max_iterations", "must be >= 1", "0")),
            "--max-iterations must be >= 1, got 0");
  EXPECT_EQ(ErrorText(InvalidArgument("fv.posterior_threshold", "must be >= 0", "")),
            "--fv-posterior-threshold must be >= 0");
  EXPECT_EQ(ErrorText(InvalidArgument("encoder", "needs Gaussians", "",
                                      Hint{"learn a vocabulary with", "kind", "gmm"})),
            "--encoder needs Gaussians; learn a vocabulary with --kind gmm");
  EXPECT_EQ(ErrorText(InvalidArgument("vlad.x", "must be 1", "")), "vlad.x must be 1");
  EXPECT_EQ(ErrorText(FormatError("a.jpg", "is empty", Hint{"pool with", "sv.s", "false"})),
            "a.jpg: is empty; pool with --sv-no-s");
}

TEST(CheckConfig, AFlagIsAUsageErrorAndAFileIsNamed) {
  EncodeArguments arguments;
  arguments.Parse({"a.jpg", "-o", "b.npy", "--max-iterations", "0"});
  const auto refuse = [](const std::string& option) {
    return [option] { throw InvalidArgument(option, "must be >= 1", "0"); };
  };
  EXPECT_THROW(CheckConfig({arguments.app()}, refuse("gmp.max_iterations")), UsageError);
  EXPECT_THROW(CheckConfig({arguments.app()}, refuse("grid.step")), InvalidArgument);
  try {
    CheckConfig({arguments.app(), "f.toml", {{"grid", {{"step", 0}}}}}, refuse("grid.step"));
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(), "f.toml: grid.step must be >= 1, got 0");
  }
}

}  // namespace
}  // namespace alcedo::cli
