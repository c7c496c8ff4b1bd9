// `alcedo classify` with the stored model of the first version, which takes array files.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kModel = ALCEDO_SOURCE_DIR "/tests/data/model-version-1.safetensors";

class Classify : public EndToEnd {
 protected:
  Classify() {
    for (int i = 0; i < 6; ++i) {
      WriteFile("in/" + std::to_string(i) + ".npy", Npy(RandomRows(9, 3, 20 + i)));
    }
  }
  static Args Run(const Args& more) { return Args{"classify", kModel} + more; }
};

TEST_F(Classify, AllFormatsSayTheSame) {
  std::istringstream lines(Succeed(Run({"in", "--format", "jsonl", "--top", "9"})).out);
  std::string csv = "image,rank,class,score,probability\r\n", line;
  int images = 0;
  for (; std::getline(lines, line); ++images) {
    const nlohmann::json json = nlohmann::json::parse(line);
    EXPECT_EQ(json["image"], std::to_string(images) + ".npy");
    ASSERT_EQ(json["predictions"].size(), 3u);  // there are no more classes
    double before = 1;
    for (const nlohmann::json& entry : json["predictions"]) {
      EXPECT_LE(entry["probability"], before);
      before = entry["probability"];
    }
  }
  EXPECT_EQ(images, 6);
  const std::string table = Succeed(Run({"in", "--format", "csv", "--threads", "2"})).out;
  EXPECT_THAT(table, testing::StartsWith(csv + "0.npy,1,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 19);
  const std::string text = Succeed(Run({"in", "--top", "1"})).out;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  Succeed(Run({"in", "--top", "1", "-o", "out.txt"}));
  EXPECT_EQ(ReadFile("out.txt"), text);
}

TEST_F(Classify, PathsOfAListMayEndInNulBytesIfThatIsSaid) {
  const std::string list("in/4.npy\0in/2.npy\0", 18);
  EXPECT_THAT(Fail(Run({"--list", "-"}), 1, list),
              AllOf(HasSubstr("standard input: line 1 has a NUL byte"), HasSubstr("--null")));
  EXPECT_EQ(Succeed(Run({"--list", "-", "--null"}), list).out,
            Succeed(Run({"in/4.npy", "in/2.npy"})).out);
}

TEST_F(Classify, BadImagesDoNotStopTheOthers) {
  WriteFile("in/3.npy", "this is a text");
  const Result json = RunProgram(Run({"in", "--format", "jsonl"}));
  EXPECT_EQ(json.exit_code, 3);
  EXPECT_EQ(json.err, "");
  EXPECT_THAT(json.out, HasSubstr("{\"image\":\"3.npy\",\"error\":"));
  const Result csv = RunProgram(Run({"in", "--format", "csv"}));
  EXPECT_EQ(csv.exit_code, 3);
  EXPECT_THAT(csv.err, AllOf(HasSubstr("1 of 6 images was bad"), HasSubstr("3.npy")));
}

TEST_F(Classify, InfoDescribesTheModel) {
  EXPECT_THAT(Succeed({"info", kModel}).out,
              AllOf(HasSubstr("model "), HasSubstr("2 Gaussians of 3 dimensions"),
                    HasSubstr("87.5% (top1-classes)"), HasSubstr("power = 0.5")));
  const auto info = nlohmann::json::parse(Succeed({"info", kModel, "--json"}).out);
  EXPECT_EQ(info["classes"].size(), 3u);
  EXPECT_EQ(info["classes"][2], "not \\xff UTF-8");
  EXPECT_EQ(info["training"]["c"], 100);
}

TEST_F(Classify, Mistakes) {
  EXPECT_THAT(Fail({"classify"}, 2), HasSubstr("no MODEL"));
  EXPECT_THAT(Fail(Run({}), 2), HasSubstr("no IMAGES"));
  EXPECT_THAT(Fail(Run({"in", "--top", "0"}), 2), HasSubstr("--top must be >= 1"));
  EXPECT_THAT(Fail(Run({"in", "--format", "jsonll"}), 2), HasSubstr("did you mean 'jsonl'"));
  EXPECT_THAT(Fail({"classify", "in/0.npy", "in"}, 1), HasSubstr("is not a model"));
  EXPECT_THAT(Fail({"classify", "nothing", "in"}, 1), HasSubstr("nothing"));
}

}  // namespace
}  // namespace end_to_end
