// `alcedo reproduce`: on painted pictures what it writes, how it goes on and what it refuses; on
// real ones, where they are, that GMP beats sum pooling.
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Json = nlohmann::json;

class Reproduce : public EndToEnd {
 protected:
  Reproduce() {
    for (int i = 0; i < 16; ++i) {
      WriteFile("in/" + std::string(i % 2 == 0 ? "a" : "b") + "/p" + std::to_string(i) + ".ppm",
                Ppm(i % 2 == 0 ? 48 : 64, 48, static_cast<unsigned>(i)));
    }
  }

  static Args Run(const std::string& output, const Args& more = {}) {
    return Args{"reproduce", "--data", "in",           "--dataset", "folder",        "--lite",
                "--samples", "1000",   "--sift-patch", "16",        "--color-patch", "16",
                "--powers",  "1,0.5",  "--c",          "1,100",     "--lambdas",     "10,1e4",
                "--folds",   "2",      "-o",           output} +
           more;
  }

  // Without what differs from run to run.
  static Json Cells(const std::string& output) {
    Json json = Json::parse(ReadFile(output + "/results.json"));
    json.erase("timings");
    json.erase("peak_memory");
    return json;
  }
};

TEST_F(Reproduce, WritesItsReport) {
  const Result result = RunProgram(Run("out", {"--table", "2"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("intermediate files take"), HasSubstr("report.html")));
  EXPECT_THAT(result.out, AllOf(HasSubstr("GMP+p"), HasSubstr("Fusion")));
  const Json json = Cells("out");
  ASSERT_EQ(json["cells"].size(), 12u);
  const std::string html = ReadFile("out/report.html"), csv = ReadFile("out/results.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 13);
  for (const Json& cell : json["cells"]) {
    for (const char* key : {"dataset", "table", "encoder", "gaussians", "descriptor", "method",
                            "metric", "value", "low", "high", "paper", "chosen"}) {
      EXPECT_TRUE(cell.contains(key)) << key;
    }
    char value[16];
    std::snprintf(value, sizeof value, "%.1f", cell["value"].get<double>());
    EXPECT_THAT(html, HasSubstr(value));
  }
  EXPECT_THAT(html, AllOf(HasSubstr("<svg"), HasSubstr("</html>")));
  EXPECT_FALSE(fs::exists("out/work/folder/seed-0/vectors/sift-fv16"));

  // A second time there is nothing to do, and quietly.
  const Result again = RunProgram(Run("out", {"--table", "2", "-q"}));
  EXPECT_EQ(again.out + again.err, "");
  EXPECT_EQ(Cells("out"), json);
}

TEST_F(Reproduce, GoesOnAfterKill) {
  EXPECT_EQ(RunProgram(Run("whole")).exit_code, 0);
  // Later and later, until a run comes to its end.
  int killed = 0;
  for (int milliseconds = 20;; milliseconds += milliseconds / 4) {
    const pid_t process = StartProgram(Run("out"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(process, SIGKILL);
    if (WaitFor(process) != 1000 + SIGKILL) break;
    ++killed;
  }
  EXPECT_GT(killed, 0);
  EXPECT_EQ(Cells("out"), Cells("whole"));
}

TEST_F(Reproduce, SaysWhenTestImagesWereTrainedOn) {
  for (const char* name : {"a", "b"}) {
    for (int i = 0; i < 8; ++i) {
      const std::string file = std::string(name) + "/" + std::to_string(i) + ".ppm";
      WriteFile((i < 5 ? "parts/train/" : "parts/test/") + file,
                Ppm(48, 48, static_cast<unsigned>(10 * i + name[0])));
    }
  }
  fs::remove_all("in");
  fs::rename("parts", "in");
  fs::copy("in/train/b/2.ppm", "in/test/b/twin.ppm");
  const Result result = RunProgram(Run("out", {"--table", "2"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string note = "1 of 7 test images is also to train on, byte for byte";
  EXPECT_THAT(result.err, HasSubstr("note: " + note));
  EXPECT_THAT(ReadFile("out/report.md"), HasSubstr(note));
  EXPECT_THAT(ReadFile("out/report.html"), HasSubstr(note));
}

// Two seeds, each by itself, and both in one run.
TEST_F(Reproduce, MergesWhatOtherRunsHaveWritten) {
  for (const std::string seed : {"0", "1"}) {
    ASSERT_EQ(RunProgram(Run("seed" + seed, {"--table", "2", "--seed", seed})).exit_code, 0);
  }
  ASSERT_EQ(RunProgram(Run("both", {"--table", "2", "--seeds", "2"})).exit_code, 0);
  const auto merged =
      RunProgram({"reproduce", "--merge", "seed1/results.json,seed0/results.json", "-o", "merged"});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(Cells("merged"), Cells("both"));
  EXPECT_EQ(ReadFile("merged/results.csv"), ReadFile("both/results.csv"));
  const std::string same =
      Fail({"reproduce", "--merge", "seed0/results.json,seed0/results.json", "-o", "no"}, 1);
  EXPECT_THAT(same, AllOf(HasSubstr("seed0/results.json"), HasSubstr("with the same seeds")));
  EXPECT_THAT(Fail({"reproduce", "--merge", "nowhere.json", "-o", "no"}, 1),
              HasSubstr("nowhere.json"));
  WriteFile("damaged.json", "{\"cells\": 1}");
  EXPECT_THAT(Fail({"reproduce", "--merge", "damaged.json", "-o", "no"}, 1),
              HasSubstr("damaged.json"));
  EXPECT_THAT(Fail({"reproduce", "--merge", "a.json", "--data", "in", "-o", "no"}, 2),
              HasSubstr("give one of them"));
}

TEST_F(Reproduce, ExplainsMistakes) {
  EXPECT_THAT(Fail({"reproduce"}, 2), HasSubstr("--data FOLDER"));
  EXPECT_THAT(Fail({"reproduce", "--data", "in"}, 1),
              AllOf(HasSubstr("in holds none of the datasets"), HasSubstr("--dataset folder")));
  EXPECT_THAT(Fail({"reproduce", "--data", "in", "--dataset", "flower"}, 2), HasSubstr("flowers"));
  EXPECT_THAT(Fail({"reproduce", "--data", "nowhere"}, 1), HasSubstr("nowhere"));
  EXPECT_THAT(Fail(Run("out", {"--power", "2"}), 2), HasSubstr("--powers"));
  EXPECT_THAT(Fail(Run("out", {"--gammas", "2"}), 2), HasSubstr("--gammas must be in [0, 1]"));
  // A list may be empty where another has what is needed.
  const Args data{"reproduce", "--data", "in"};
  EXPECT_THAT(Fail(data + Args{"--c", "none"}, 2), HasSubstr("--c must have at least one value"));
  EXPECT_THAT(Fail(data + Args{"--lambdas", "none", "--relative-lambdas", "none"}, 2),
              HasSubstr("--lambdas must have a value if relative_lambdas has none"));
  WriteFile("file", "");
  EXPECT_THAT(Fail(Run("file"), 1), HasSubstr("file"));
}

// 20 of the 102 classes, Fisher Vectors of 16 Gaussians. The mean over SIFT, colour and fusion is
// about 8 points here, and 5 on all images.
TEST_F(Reproduce, GmpBeatsSumOnFlowers) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "ten minutes under sanitizers, for an accuracy that does not depend on them";
#endif
  constexpr double kMargin = 3;  // points
  const fs::path flowers = fs::path(ALCEDO_SOURCE_DIR) / ".." / "shared/data/flowers102";
  if (!fs::exists(flowers)) GTEST_SKIP() << "without " << flowers << ": nothing is asserted";
  const Result result = RunProgram({"reproduce", "--data", flowers, "--lite", "--table", "2",
                                    "--samples", "100000", "-q", "-o", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  double gain = 0;
  const Json json = Cells("out");
  for (const Json& cell : json["cells"]) {
    if (cell["method"] == "gmp") gain += cell["value"].get<double>() / 3;
    if (cell["method"] == "sum") gain -= cell["value"].get<double>() / 3;
  }
  EXPECT_GE(gain, kMargin);
}

}  // namespace
}  // namespace end_to_end
