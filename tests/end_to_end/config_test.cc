// The same options as flags, as a file, and in every header.
#include "encode_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Config : public Encode {
 protected:
  Config() { LearnVocabulary(); }

  static std::string DumpEncode(const Args& more) {
    return SucceedEncode(more + Args{"--dump-config"}).out;
  }
};

TEST_F(Config, ADumpIsAConfig) {
  for (const std::string command : {"learn", "encode"}) {
    const Args base =
        command == "learn" ? Args{"learn"} : Args{"encode", "--vocabulary", "v.safetensors"};
    const Args odd =
        command == "learn"
            ? Args{"--gaussians",         "7",      "--sift-root",
                   "--sift-no-keep-flat", "--seed", "9223372036854775807",
                   "--gmm-tolerance",     "1e-300"}
            : Args{"--lambda", "0.1,3,1e10",      "--pyramid", "1,2x2",      "--no-l2", "--power",
                   "0.3",      "--fv-assignment", "soft",      "--accuracy", "inf"};
    for (const Args& flags : {Args{}, odd}) {
      const std::string toml = Succeed(base + flags + Args{"--dump-config"}).out;
      WriteFile("f.toml", toml);
      EXPECT_EQ(Succeed(base + Args{"--config", "f.toml", "--dump-config"}).out, toml);
      const std::string json = Succeed(base + flags + Args{"--dump-config=json"}).out;
      WriteFile("f.json", json);
      EXPECT_EQ(Succeed(base + Args{"--config", "f.json", "--dump-config=json"}).out, json);
      EXPECT_EQ(Succeed(base + Args{"--config", "f.toml", "--dump-config=json"}).out, json);
    }
  }
}

TEST_F(Config, AFileGivesWhatFlagsGive) {
  const Args flags{"--pooling", "lp", "--lp-p", "3", "--power", "0.5", "--l2", "--step", "6"};
  WriteFile("f.toml", DumpEncode(flags));
  SucceedEncode(Args{"in", "-o", "flags.npy"} + flags);
  Succeed({"encode", "in", "--config", "f.toml", "-o", "file.npy", "--quiet"});
  EXPECT_EQ(ReadFile("flags.npy"), ReadFile("file.npy"));
  EXPECT_EQ(ReadFile("flags.npy.json"), ReadFile("file.npy.json"));
  // And so does what an output says of itself.
  WriteFile("header.json", Json(ReadFile("flags.npy.json"))["config"].dump());
  Succeed({"encode", "in", "--config", "header.json", "-o", "header.npy", "--quiet"});
  EXPECT_EQ(ReadFile("flags.npy"), ReadFile("header.npy"));
}

TEST_F(Config, FlagsOverFileOverVocabularyOverDefaults) {
  Succeed(SmallLearn("in", "v5.safetensors") + Args{"--step", "5", "--patch", "20", "--sift-root"});
  WriteFile("f.toml",
            "vocabulary = \"v5.safetensors\"\nl2 = true\n[grid]\nstep = 6\n[sift]\nroot = false\n");
  const nlohmann::json config =
      Json(Succeed({"encode", "--config", "f.toml", "--sift-root", "--no-l2", "--dump-config=json"})
               .out);
  EXPECT_EQ(config["grid"]["step"], 6);
  EXPECT_EQ(config["grid"]["patch"], 20);
  EXPECT_EQ(config["grid"]["scales"], 5);
  EXPECT_EQ(config["sift"]["root"], true);
  EXPECT_EQ(config["l2"], false);
  EXPECT_EQ(Json(Succeed({"encode", "--config", "f.toml", "--vocabulary", "v.safetensors",
                          "--dump-config=json"})
                     .out)["grid"]["patch"],
            24);
}

TEST_F(Config, AFileMayServeSeveralChoices) {
  WriteFile("f.toml", DumpEncode({"--lambda", "5"}));
  SucceedEncode({"in", "--config", "f.toml", "--pooling", "max", "-o", "max.npy"});
  WriteFile("l.toml", Succeed({"learn", "--dump-config"}).out);
  Succeed({"learn", "in", "--config", "l.toml", "--kind", "kmeans", "--clusters", "3",
           "--pca-dimensions", "4", "-o", "k.safetensors", "--quiet"});
  // A flag is for this run, and one that says nothing is a mistake.
  EXPECT_THAT(FailEncode({"in", "--pooling", "max", "--lambda", "5", "-o", "o.npy"}, 2),
              HasSubstr("--lambda goes with --pooling gmp, not with --pooling max"));
  EXPECT_THAT(FailEncode({"in", "--vlad-residual-l2", "-o", "o.npy"}, 2),
              HasSubstr("--vlad-residual-l2 goes with --encoder vlad, not with --encoder fv"));
  EXPECT_THAT(Fail({"learn", "in", "--clusters", "5", "-o", "o.safetensors"}, 2),
              HasSubstr("--clusters goes with --kind kmeans, not with --kind gmm"));
  EXPECT_THAT(FailEncode({"in", "--l2", "--no-l2", "-o", "o.npy"}, 2), HasSubstr("--l2"));
}

TEST_F(Config, UnknownNamesAreRefusedWithAHint) {
  const auto refused = [&](const std::string& toml) {
    WriteFile("f.toml", toml);
    return FailEncode({"in", "--config", "f.toml", "-o", "o.npy"}, 1);
  };
  EXPECT_THAT(refused("poolling = \"gmp\""),
              AllOf(HasSubstr("f.toml: poolling"), HasSubstr("did you mean 'pooling'?")));
  EXPECT_THAT(refused("[grid]\nstepp = 5"), HasSubstr("did you mean 'step'?"));
  EXPECT_THAT(refused("[grd]\nstep = 5"), HasSubstr("did you mean 'grid'?"));
  EXPECT_THAT(refused("pooling = \"sun\""), HasSubstr("'sun'"));
  EXPECT_THAT(refused("l2 = 5"), HasSubstr("l2 must be true or false"));
  EXPECT_THAT(refused("l2 = "), HasSubstr("line 1"));
  EXPECT_THAT(FailEncode({"in", "--config", "none.toml", "-o", "o.npy"}, 1),
              HasSubstr("none.toml"));
  EXPECT_THAT(Fail({"encode", "--dump-config=yaml"}, 2), HasSubstr("toml or json"));
}

}  // namespace
}  // namespace end_to_end
