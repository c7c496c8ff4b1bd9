// `alcedo synth`, and the demo's experiment on what it paints.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Json = nlohmann::json;

class Synth : public EndToEnd {
 protected:
  static Args Run(const std::string& output, const Args& more = {}) {
    return Args{"synth", output,    "--classes", "2",        "--images",
                "4",     "--width", "96",        "--height", "72"} +
           more;
  }

  static std::vector<std::string> FilesIn(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder));
    }
    std::ranges::sort(files);
    return files;
  }
};

TEST_F(Synth, PaintsTheSameForAnyNumberOfThreads) {
  const Result result = RunProgram(Run("one", {"--threads", "1"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "2 classes of 4 images in one\n");
  Succeed(Run("two", {"--threads", "2", "-q"}));
  const std::vector<std::string> files = FilesIn("one");
  EXPECT_EQ(files.size(), 10u);  // boxes.csv and synth.json too
  EXPECT_EQ(files, FilesIn("two"));
  for (const std::string& file : files) {
    EXPECT_EQ(ReadFile("one/" + file), ReadFile("two/" + file)) << file;
  }
  Succeed(Run("other", {"--seed", "1", "-q"}));
  EXPECT_NE(ReadFile("one/boxes.csv"), ReadFile("other/boxes.csv"));
}

TEST_F(Synth, CompletesItsOwnFolder) {
  Succeed(Run("birds", {"-q"}));
  const std::vector<std::string> files = FilesIn("birds");
  const auto picture =
      std::ranges::find_if(files, [](const auto& f) { return f.ends_with("png"); });
  const std::string bytes = ReadFile("birds/" + *picture);
  fs::remove("birds/" + *picture);
  EXPECT_THAT(RunProgram(Run("birds")).err, HasSubstr("7 were there already"));
  EXPECT_EQ(ReadFile("birds/" + *picture), bytes);
  EXPECT_THAT(Fail(Run("birds", {"--seed", "5"}), 1),
              AllOf(HasSubstr("birds"), HasSubstr("other options")));
  WriteFile("mine/letter.txt", "dear");
  EXPECT_THAT(Fail(Run("mine"), 1), HasSubstr("mine: is not empty"));
}

TEST_F(Synth, ExplainsMistakes) {
  EXPECT_THAT(Fail({"synth"}, 2), HasSubstr("alcedo synth OUT"));
  EXPECT_THAT(Fail({"synth", "out", "--classes", "1"}, 2), HasSubstr("--classes must be from 2"));
  EXPECT_THAT(Fail({"synth", "out", "--images", "0"}, 2), HasSubstr("--images must be from 1"));
  EXPECT_THAT(Fail({"synth", "out", "--width", "10"}, 2), HasSubstr("--width must be from 64"));
  EXPECT_THAT(Fail({"synth", "out", "--mark-size", "9"}, 2), HasSubstr("--mark-size must be in"));
  EXPECT_THAT(Fail({"synth", "out", "--class", "3"}, 2), HasSubstr("--classes"));
}

// What scripts/demo does, in small.
TEST_F(Synth, IsWhatTheDemoCompares) {
  Succeed({"synth", "birds", "--classes", "3", "--images", "8", "--width", "128", "--height", "96",
           "-q"});
  Succeed({"reproduce", "--data",       "birds", "--dataset",   "folder", "--table",
           "2",         "--descriptor", "color", "--gaussians", "4",      "--samples",
           "5000",      "--powers",     "1,0.5", "--c",         "1,100",  "--folds",
           "2",         "-q",           "-o",    "report"});
  const Json json = Json::parse(ReadFile("report/results.json"));
  std::vector<std::string> methods;
  for (const Json& cell : json["cells"]) {
    EXPECT_EQ(cell["descriptor"], "color");
    EXPECT_EQ(cell["gaussians"], 4);
    EXPECT_GE(cell["value"].get<double>(), 0);
    EXPECT_LE(cell["value"].get<double>(), 100);
    methods.push_back(cell["method"]);
  }
  EXPECT_EQ(methods, (std::vector<std::string>{"sum", "sum+p", "gmp", "gmp+p"}));
  // The columns that the script reads.
  const std::string csv = ReadFile("report/results.csv");
  EXPECT_THAT(
      csv, testing::StartsWith("dataset,table,encoder,gaussians,descriptor,method,metric,value,"));
  EXPECT_THAT(csv, HasSubstr("\nfolder,2,fv,4,color,gmp,top1-classes,"));
  EXPECT_THAT(ReadFile("report/report.html"), HasSubstr("</html>"));
}

}  // namespace
}  // namespace end_to_end
