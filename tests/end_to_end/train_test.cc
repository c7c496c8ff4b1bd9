// `alcedo train` on pictures that can be told apart.
#include <signal.h>

#include <chrono>
#include <thread>

#include "train_fixture.h"
#include "until_signal.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

TEST_F(Train, SaysWhatItDid) {
  const Result result = RunProgram(Run("model.safetensors", {"--fusion-weights", "validation"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("3 classes, 9 images of folder data"), HasSubstr("sift: 4 Gaussians"),
                    HasSubstr("512 dimensions"), HasSubstr("color: 4 Gaussians"),
                    HasSubstr("3-fold cross-val"), HasSubstr("weights of the channels"),
                    HasSubstr("wrote model.safetensors, ")));
  EXPECT_FALSE(fs::exists("model.safetensors.work"));
  EXPECT_THAT(Succeed({"info", "model.safetensors"}).out, HasSubstr("9 images of folder data"));
}

// What evaluate says, from what classify says.
TEST_F(Train, ThreadsDoNotMatter) {
  Succeed(Run("two.safetensors", {"-q", "--probabilities", "--threads", "2"}));
  Succeed(Run("one.safetensors", {"-q", "--probabilities", "--threads", "1"}));
  EXPECT_EQ(ReadFile("one.safetensors"), ReadFile("two.safetensors"));
}

TEST_F(Train, GoesOnAfterAKill) {
  const Clock::time_point start = Clock::now();
  Succeed(Run("whole.safetensors", {"-q"}));
  const auto duration = Clock::now() - start;
  int killed = 0;
  for (int i = 1; i <= 8; ++i) {
    const pid_t process = StartProgram(Run("model.safetensors", {"-q"}));
    std::this_thread::sleep_for(duration * i / 9.0);
    kill(process, SIGKILL);
    killed += WaitFor(process) == 1000 + SIGKILL ? 1 : 0;
    if (i % 3 == 0) {
      Succeed(Run("model.safetensors", {"-q"}));
      EXPECT_EQ(ReadFile("model.safetensors"), ReadFile("whole.safetensors"));
      EXPECT_FALSE(fs::exists("model.safetensors.work"));
      fs::remove("model.safetensors");
    }
  }
  Succeed(Run("model.safetensors", {"-q"}));
  EXPECT_EQ(ReadFile("model.safetensors"), ReadFile("whole.safetensors"));
  EXPECT_GT(killed, 0);
}

TEST_F(Train, StopsCleanlyWhenAskedTo) {
  Succeed(Run("whole.safetensors", {"-q"}));
  EXPECT_EQ(EndBySignal(
                Run("model.safetensors"), SIGINT, [] { fs::remove("model.safetensors"); },
                [] { return fs::exists("model.safetensors.work/sift"); }),
            130);
  EXPECT_THAT(ReadFile(".stderr"),
              AllOf(HasSubstr("alcedo: interrupted at "), HasSubstr("to resume")));
  EXPECT_FALSE(fs::exists("model.safetensors"));
  Succeed(Run("model.safetensors", {"-q"}));
  EXPECT_EQ(ReadFile("model.safetensors"), ReadFile("whole.safetensors"));
}

TEST_F(Train, RefusesTheWorkOfAnotherRun) {
  ASSERT_EQ(EndBySignal(
                Quick("model.safetensors"), SIGKILL, [] { fs::remove("model.safetensors"); },
                [] { return fs::exists("model.safetensors.work/train.json"); }),
            1000 + SIGKILL);
  for (const char* file : {".stdin", ".stdout", ".stderr"}) fs::remove(file);
  EXPECT_THAT(Fail(Quick("model.safetensors", {"--power", "1"}), 1),
              HasSubstr("other options or other images"));
  WriteFile("data/green/1.ppm", Stripes(1, 50));
  EXPECT_THAT(Fail(Quick("model.safetensors"), 1), HasSubstr("other options or other images"));
  EXPECT_THAT(Fail(Quick("model.safetensors", {"--work", "data"}), 1), HasSubstr("is not empty"));
}

TEST_F(Train, ClassifySaysWhichImagesHaveNoPatches) {
  Succeed(Quick("model.safetensors"));
  WriteFile("in/a.ppm", "P6 1 1 255 abc");
  WriteFile("in/b.ppm", Stripes(1, 7));
  const auto classify = [](const Args& more) {
    return Succeed(Args{"classify", "model.safetensors", "--top", "1"} + more);
  };
  const std::string note = "has no patches: the scores are the model's bias alone";
  EXPECT_THAT(classify({"in/a.ppm"}).out, testing::StartsWith("in/a.ppm (" + note + ")\n  "));
  const std::string text = classify({"in"}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("a.ppm (" + note + ")\n"), HasSubstr("b.ppm\n  ")));
  const std::string json = classify({"in", "--format", "jsonl"}).out;
  EXPECT_THAT(json, HasSubstr("],\"note\":\"" + note + "\"}\n{\"image\":\"b.ppm\""));
  EXPECT_EQ(json.find("note"), json.rfind("note"));
  const Result csv = classify({"in", "--format", "csv", "-q"});
  EXPECT_EQ(csv.err, "note: 1 of 2 images " + note + ": a.ppm\n");
  EXPECT_EQ(csv.out.find("note"), std::string::npos);
  fs::remove("in/a.ppm");
  EXPECT_EQ(classify({"in", "--format", "csv", "-q"}).err, "");
}

TEST_F(Train, FewImages) {
  fs::remove_all("data");
  Paint("data", 1);
  // Without images to test on; with all of them there is still nothing to choose C by.
  EXPECT_THAT(Fail(Quick("model.safetensors"), 1), HasSubstr("no image to test on"));
  EXPECT_THAT(Fail(Quick("model.safetensors", {"--all", "--probabilities"}), 1),
              AllOf(HasSubstr("two images of every class"), HasSubstr("probabilities")));
  const Result result =
      RunProgram(Run("model.safetensors", {"--all", "--c", "7,3", "--descriptor", "sift"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("C = 7, the first candidate"));
  Succeed({"evaluate", "model.safetensors", "data", "--split", "all", "-q"});
}

TEST_F(Train, LeavesOutBadImages) {
  WriteFile("data/green/bad.ppm", "P6 no picture");
  const Result result = RunProgram(Quick("model.safetensors", {"--all"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("1 of 19 images was bad"), HasSubstr("green/bad.ppm")));
  EXPECT_THAT(ReadFile("model.safetensors.failures.csv"), HasSubstr("green/bad.ppm"));
  for (int i = 0; i < 6; ++i) WriteFile("data/green/" + std::to_string(i) + ".ppm", "P6");
  EXPECT_THAT(RunProgram(Quick("other.safetensors", {"--all"})).err,
              HasSubstr("class 'green' has no image that could be read"));
  EXPECT_FALSE(fs::exists("other.safetensors"));
}

TEST_F(Train, EveryEncoderAndPooling) {
  for (const std::string encoder : {"bov", "soft-bov", "llc", "vlad", "sv"}) {
    Succeed(Quick("model.safetensors", {"--encoder", encoder}));
    EXPECT_THAT(Succeed({"info", "model.safetensors"}).out,
                HasSubstr("encoder = \"" + encoder + "\""));
  }
  for (const std::string pooling : {"sum", "max", "democratic"}) {
    Succeed(Quick("model.safetensors", {"--pooling", pooling}));
    EXPECT_THAT(Succeed({"info", "model.safetensors"}).out,
                HasSubstr("pooling = \"" + pooling + "\""));
  }
  Succeed(Run("model.safetensors", {"-q", "--descriptor", "color", "--encoder", "emk"}, false));
  EXPECT_THAT(Succeed({"info", "model.safetensors"}).out, HasSubstr("encoder = \"emk\""));
}

TEST_F(Train, Mistakes) {
  EXPECT_THAT(Fail({"train"}, 2), HasSubstr("no DATA"));
  EXPECT_THAT(Fail({"train", "data"}, 2), HasSubstr("no output"));
  const std::string help = Succeed({"train", "--help"}).out;
  EXPECT_THAT(help, AllOf(HasSubstr("|llc|vlad|"), testing::Not(HasSubstr("sparse"))));
  EXPECT_THAT(Fail({"train", "data", "-o", "data"}, 2), HasSubstr("is a folder"));
  EXPECT_THAT(Fail({"train", "data", "-o", "m.pt"}, 2),
              HasSubstr("'m.pt' must end in .safetensors, as in -o m.safetensors"));
  EXPECT_THAT(Fail({"train", "data", "-o", "-"}, 2),
              HasSubstr("a model cannot be written to standard"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--gausians", "3"}), 2),
              HasSubstr("did you mean '--gaussians'"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--power", "2"}), 2),
              HasSubstr("--power must be in [0, 1]"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--encoder", "sparse"}), 2),
              HasSubstr("--encoder must not need a dictionary"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--color-patch", "8"}), 2),
              HasSubstr("--descriptor sift"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--pooling", "sum", "--lambda", "1"}), 2),
              HasSubstr("--lambda goes with --pooling gmp, not with --pooling sum"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--all", "--folder-seed", "1"}), 2),
              HasSubstr("nothing to split"));
  EXPECT_THAT(Fail(Quick("m.safetensors", {"--folder-test-fraction", "2"}), 2),
              HasSubstr("--folder-test-fraction must be"));
  EXPECT_THAT(Fail({"train", "nothing", "-o", "m.safetensors"}, 1),
              HasSubstr("nothing: there is no such folder"));
  EXPECT_THAT(Fail({"train", "data", "-o", "no/m.safetensors"}, 1), HasSubstr("no"));
  fs::create_directory("empty");
  EXPECT_THAT(Fail({"train", "empty", "-o", "m.safetensors"}, 1), HasSubstr("empty folder"));
  fs::create_directory("one");
  fs::copy("data/green", "one/green", fs::copy_options::recursive);
  EXPECT_THAT(Fail({"train", "one", "-o", "m.safetensors"}, 1),
              HasSubstr("one class only, 'green'"));
}

}  // namespace
}  // namespace end_to_end
