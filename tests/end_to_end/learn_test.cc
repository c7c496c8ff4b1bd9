// `alcedo learn`: the same bytes whatever happens on the way.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class Learn : public EndToEnd {
 protected:
  static nlohmann::json Info(const std::string& file) {
    return nlohmann::json::parse(Succeed({"info", file, "--json"}).out);
  }
};

TEST_F(Learn, GivesTheSameBytesOnAnyNumberOfThreads) {
  MakePictures("in", 12, 48);
  Succeed(SmallLearn("in", "one.safetensors") + Args{"--threads", "1"});
  Succeed(SmallLearn("in", "two.safetensors") + Args{"--threads", "2"});
  EXPECT_EQ(ReadFile("one.safetensors"), ReadFile("two.safetensors"));
  Succeed(SmallLearn("in", "other.safetensors") + Args{"--seed", "1"});
  EXPECT_NE(ReadFile("one.safetensors"), ReadFile("other.safetensors"));
  // The work folders are gone.
  EXPECT_EQ(FilesHere(), (std::vector<std::string>{"in", "one.safetensors", "other.safetensors",
                                                   "two.safetensors"}));
  const nlohmann::json info = Info("one.safetensors");
  EXPECT_EQ(info["size"], 4);
  EXPECT_EQ(info["dimension"], 6);
  EXPECT_EQ(info["training"]["images"], 12);
  EXPECT_EQ(info["training"]["samples"], 350);
  EXPECT_EQ(info["config"]["gmm"]["gaussians"], 4);
}

TEST_F(Learn, MoreWordsThanSamplesAreAMistake) {
  MakePictures("in", 4, 48);
  for (const auto& [kind, flag] : std::map<std::string, std::string>{
           {"gmm", "--gaussians"}, {"kmeans", "--clusters"}, {"dictionary", "--atoms"}}) {
    const Args args{"learn", "in", "-o", "v.safetensors", "--kind", kind, flag};
    const std::string samples = " must be at most the number of samples, 200 from 4 images, got ";
    EXPECT_THAT(Fail(args + Args{"2000000", "--samples", "200"}, 1),
                HasSubstr(flag + samples + "2000000"));
    EXPECT_THAT(Fail(args + Args{"201", "--samples", "200"}, 1), HasSubstr(flag + samples + "201"));
  }
  EXPECT_EQ(FilesHere(), std::vector<std::string>{"in"});  // nothing to go on from
  // As many are a vocabulary, of which one is told that it is a poor one.
  EXPECT_THAT(
      RunProgram({"learn", "in", "-o", "v.safetensors", "--gaussians", "200", "--samples", "200"})
          .err,
      HasSubstr("200 samples for 200 Gaussians are few"));
}

TEST_F(Learn, EveryKind) {
  MakePictures("in", 4, 48);
  for (const auto& [kind, flag] :
       std::map<std::string, std::string>{{"gmm", "--gaussians"},
                                          {"kmeans", "--clusters"},
                                          {"dictionary", "--atoms"},
                                          {"fourier", "--fourier-outputs"}}) {
    Succeed({"learn", "in", "-o", "v.safetensors", "--kind", kind, flag, "5", "--pca-dimensions",
             "3", "--samples", "200", "--quiet"});
    const nlohmann::json info = Info("v.safetensors");
    EXPECT_EQ(info["words"], kind);
    EXPECT_EQ(info["size"], 5);
    EXPECT_EQ(info["dimension"], 3);
  }
}

TEST_F(Learn, BadImagesAreListedAndDoNotStopIt) {
  MakePictures("in", 6, 48);
  WriteFile("in/a.jpg", "this is a text");
  WriteFile("in/z.png", Png(40, 40, 1).substr(0, 300));
  const Result result = RunProgram(SmallLearn("in", "v.safetensors"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("2 of 8 images were bad"), HasSubstr("a.jpg"), HasSubstr("z.png")));
  EXPECT_THAT(ReadFile("v.safetensors.failures.csv"),
              AllOf(HasSubstr("a.jpg,"), HasSubstr("z.png,")));
  EXPECT_EQ(Info("v.safetensors")["training"]["bad_images"], 2);
  fs::remove("in/a.jpg");
  fs::remove("in/z.png");
  Succeed(SmallLearn("in", "v.safetensors"));
  EXPECT_FALSE(fs::exists("v.safetensors.failures.csv"));
}

TEST_F(Learn, SaysWhatItDid) {
  MakePictures("in", 4, 48);
  Args args = SmallLearn("in", "v.safetensors");
  args.pop_back();  // --quiet
  const Result result = RunProgram(args);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("4 Gaussians of 6 dimensions from 236 samples of 4 images"),
                    HasSubstr("log-likelihood"), HasSubstr("100,000 pixels"),
                    HasSubstr("wrote v.safetensors, "), Not(HasSubstr("\r"))));
  if (!HasTerminals()) GTEST_SKIP() << "no terminals here: what a person sees was not tested";
  const Result shown = RunOnTerminal(args);
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("sampling: "), HasSubstr("images/s"), HasSubstr("em: "),
                               HasSubstr(" iterations")));
}

TEST_F(Learn, ArraysAreDescriptorsFromElsewhere) {
  for (int i = 0; i < 3; ++i) {
    WriteFile("in/" + std::to_string(i) + ".npy", Npy(RandomRows(50, 7, 20 + i)));
  }
  Succeed({"learn", "in", "-o", "v.safetensors", "--gaussians", "2", "--pca-dimensions", "0",
           "--quiet"});
  const nlohmann::json info = Info("v.safetensors");
  EXPECT_EQ(info["descriptor"], "external");
  EXPECT_EQ(info["dimension"], 7);
  EXPECT_EQ(info["training"]["samples"], 150);
  // Flags of pictures do not go with them.
  EXPECT_THAT(Fail({"learn", "in", "-o", "v2.safetensors", "--max-pixels", "5"}, 2),
              HasSubstr("--descriptor"));
  // Among pictures, arrays of a folder are not inputs.
  MakePictures("in", 2, 48);
  Succeed(SmallLearn("in", "v.safetensors"));
  EXPECT_EQ(Info("v.safetensors")["descriptor"], "sift");
  EXPECT_EQ(Info("v.safetensors")["training"]["images"], 2);
}

// At some moment of its work, by a signal that it hears or by one that it does not.
TEST_F(Learn, GoesOnAfterAnInterruption) {
  MakePictures("in", 40, 64);
  const Args args =
      Args{"learn", "in", "--gaussians", "64", "--pca-dimensions", "32"} +
      Args{"--samples", "6000", "--gmm-tolerance", "0", "--gmm-max-iterations", "60"} +
      Args{"--threads", "1", "--quiet", "-o"};
  Succeed(args + Args{"whole.safetensors"});
  int interrupted = 0;
  for (const int signal_number : {SIGINT, SIGTERM, SIGKILL, SIGKILL, SIGINT}) {
    const pid_t process = StartProgram(args + Args{"v.safetensors"});
    WaitUntil(process, [] {
      return fs::exists("v.safetensors.work/progress.json") || fs::exists("v.safetensors");
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(40 + 30 * interrupted));
    kill(process, signal_number);
    const int exit_code = WaitFor(process);
    if (exit_code == 0 || fs::exists("v.safetensors")) break;  // it was faster
    ++interrupted;
    // A slow machine may not have come to listen yet, nor to do anything.
    if (signal_number != SIGKILL && exit_code == 1000 + signal_number) continue;
    EXPECT_EQ(exit_code, signal_number == SIGKILL ? 1000 + SIGKILL : 130);
    if (signal_number != SIGKILL) {
      EXPECT_THAT(ReadFile(".stderr"), AllOf(HasSubstr("alcedo: interrupted"),
                                             HasSubstr("run the same command again to resume")));
    }
    EXPECT_FALSE(fs::exists("v.safetensors"));
    EXPECT_TRUE(fs::exists("v.safetensors.work"));
  }
  EXPECT_GE(interrupted, 1);
  if (!fs::exists("v.safetensors")) Succeed(args + Args{"v.safetensors"});
  EXPECT_EQ(ReadFile("v.safetensors"), ReadFile("whole.safetensors"));
}

TEST_F(Learn, AnInterruptedRunOfOtherOptionsIsNotGoneOnWith) {
  MakePictures("in", 4, 48);
  WriteFile("v.safetensors.work/progress.json", "{}");
  EXPECT_THAT(Fail(SmallLearn("in", "v.safetensors"), 1), HasSubstr("v.safetensors.work"));
}

}  // namespace
}  // namespace end_to_end
