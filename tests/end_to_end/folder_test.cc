// Folders of bags, in and out.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class Folders : public EndToEnd {
 protected:
  // The bytes that one bag alone gives.
  static std::string Alone(const std::string& input) {
    Succeed({"pool", input, "-o", "alone.npy", "--lambda", "2"});
    const std::string bytes = ReadFile("alone.npy");
    fs::remove("alone.npy");
    return bytes;
  }
};

TEST_F(Folders, BadFilesAreSkippedAndListed) {
  Table with_nan = RandomRows(5, 4, 3);
  with_nan[3][1] = 0.0 / 0.0;
  WriteFile("in/1-good.npy", Npy(RandomRows(9, 4, 1)));
  WriteFile("in/2-text.npy", "hello");
  WriteFile("in/3-nan.npy", Npy(with_nan));
  WriteFile("in/4-empty.npy", Npy({0, 4}, {}));
  WriteFile("in/5-good.safetensors", Safetensors({{"only", RandomRows(7, 4, 2)}}));
  WriteFile("in/6-wide.npy", Npy(RandomRows(7, 5, 2)));

  const Result stacked = RunProgram({"pool", "in", "-o", "out.npy", "--lambda", "2"});
  EXPECT_EQ(stacked.exit_code, 3);
  EXPECT_THAT(stacked.err, AllOf(HasSubstr("skipped 4 of 6"), HasSubstr("2-text.npy"),
                                 HasSubstr("3-nan.npy"), HasSubstr("row 3"), HasSubstr("column 1"),
                                 HasSubstr("4-empty.npy"), HasSubstr("6-wide.npy")));
  EXPECT_THAT(stacked.err, Not(HasSubstr("good.npy")));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "1-good\n5-good\n");
  Row expected = ParseNpy(Alone("in/1-good.npy")).values;
  const Row second = ParseNpy(Alone("in/5-good.safetensors")).values;
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).values, expected);

  // In a folder vectors need not have one length.
  const Result folder = RunProgram({"pool", "in", "-o", "out/", "--lambda", "2"});
  EXPECT_EQ(folder.exit_code, 3);
  EXPECT_THAT(folder.err, HasSubstr("skipped 3 of 6"));
  EXPECT_EQ(ReadFile("out/1-good.npy"), Alone("in/1-good.npy"));
  EXPECT_EQ(ReadFile("out/5-good.npy"), Alone("in/5-good.safetensors"));
  EXPECT_EQ(ReadFile("out/6-wide.npy"), Alone("in/6-wide.npy"));
  EXPECT_EQ(std::distance(fs::directory_iterator("out"), fs::directory_iterator()), 4);
}

TEST_F(Folders, BagsOfOneBadArrayAreListedOnce) {
  Table rows = RandomRows(6, 4, 1);
  rows[5][0] = 0.0 / 0.0;
  WriteFile("in/batch.npy", Npy({3, 2, 4}, Flatten(rows)));
  WriteFile("in/good.npy", Npy(RandomRows(6, 4, 1)));
  const Result result = RunProgram({"pool", "in", "-o", "out.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("skipped 3 of 4"), HasSubstr("(3 bags)\n")));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "good\n");
}

TEST_F(Folders, SeveralInputsToo) {
  WriteFile("a.npy", Npy(RandomRows(9, 4, 1)));
  const Result result = RunProgram({"pool", "a.npy", "missing.npy", "-o", "out.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("missing.npy"));
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).shape, (std::vector<std::size_t>{1, 4}));
}

TEST_F(Folders, OnlyBadFilesLeaveNothingButTheReport) {
  Table with_nan = RandomRows(5, 4, 3);
  with_nan[3][1] = 0.0 / 0.0;
  WriteFile("in/a.npy", "hello");
  WriteFile("in/b.npy", Npy(with_nan));
  for (const char* output : {"out.npy", "out/", "out.safetensors", "-"}) {
    const Result result = RunProgram({"pool", "in", "-o", output, "--report", "r.json"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(FilesHere(), (std::vector<std::string>{"in", "r.json"})) << output;
    const auto report = nlohmann::json::parse(ReadFile("r.json"));
    EXPECT_EQ(report.at("bags").size(), 0u);
    EXPECT_EQ(report.at("skipped").size(), 2u);
    fs::remove("r.json");
  }
}

TEST_F(Folders, ResumeSkipsWhatIsThere) {
  for (unsigned i = 0; i < 4; ++i) {
    WriteFile("in/" + std::to_string(i) + ".npy", Npy(RandomRows(5, 3, i)));
  }
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2", "--weights", "alpha/"});
  WriteFile("out/1.npy", "kept as it is");
  fs::remove("out/2.npy");
  fs::remove("alpha/3.npy");
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2", "--weights", "alpha/", "--resume"});
  EXPECT_EQ(ReadFile("out/1.npy"), "kept as it is");
  EXPECT_EQ(ReadFile("out/2.npy"), Alone("in/2.npy"));
  EXPECT_EQ(ParseNpy(ReadFile("alpha/3.npy")).shape, (std::vector<std::size_t>{5}));
  // Without --resume everything is made anew.
  Succeed({"pool", "in", "-o", "out", "--lambda", "2"});
  EXPECT_EQ(ReadFile("out/1.npy"), Alone("in/1.npy"));
}

TEST_F(Folders, OptionsDoNotMix) {
  WriteFile("in/a.npy", Npy(RandomRows(5, 3, 1)));
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2"});
  const std::string before = ReadFile("out/a.npy");
  EXPECT_THAT(Fail({"pool", "in", "-o", "out/", "--lambda", "3", "--resume"}, 1),
              AllOf(HasSubstr("other options"), HasSubstr("lambda is [2.0] there and [3.0] here")));
  Fail({"pool", "in", "-o", "out/", "--lambda", "2", "--l2"}, 1);
  EXPECT_EQ(ReadFile("out/a.npy"), before);
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2", "--threads", "1", "--resume"});
  WriteFile("out/alcedo.json", "{");
  Fail({"pool", "in", "-o", "out/", "--lambda", "2"}, 1);
}

TEST_F(Folders, NamesCannotLeaveTheFolderOrCollide) {
  WriteFile("bags.npz",
            Npz({{"../../up", Npy(RandomRows(5, 3, 1))}, {"b", Npy(RandomRows(5, 3, 2))}}));
  Succeed({"pool", "bags.npz", "-o", "out/"});
  EXPECT_TRUE(fs::exists("out/bags..._.._up.npy"));
  EXPECT_TRUE(fs::exists("out/bags.b.npy"));
  WriteFile("x/a.npy", Npy(RandomRows(5, 3, 1)));
  WriteFile("y/a.npy", Npy(RandomRows(5, 3, 2)));
  EXPECT_THAT(Fail({"pool", "x/a.npy", "y/a.npy", "-o", "both/"}, 1), HasSubstr("'a'"));
}

}  // namespace
}  // namespace end_to_end
