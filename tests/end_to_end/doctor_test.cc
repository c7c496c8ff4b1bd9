// `alcedo doctor`, for people and for programs.
#include <nlohmann/json.hpp>
#include <sstream>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::HasSubstr;

class Doctor : public EndToEnd {};

TEST_F(Doctor, IsWellOnOneScreen) {
  const std::string text = Succeed({"doctor"}).out;
  for (const char* part :
       {"alcedo       " ALCEDO_VERSION "\n", "OpenBLAS", "libpng", "libwebp", "Eigen",
        "\nprocessor    ", "\narithmetic   kernels ", "on 1 thread\n", "\nthreads      ",
        "\nmemory       ", "\ntemporary    ", "\nlocale       ", "pooling by dual agrees",
        "pooling by primal agrees", "pooling by direct agrees", "the same bytes on one and on all",
        " images/s, ", " patches/s on "}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(text.find("WRONG"), std::string::npos);
  int lines = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); ++lines) {
    EXPECT_LE(line.size(), 100u) << line;
  }
  EXPECT_LE(lines, 32);
}

TEST_F(Doctor, TellsProgramsTheSame) {
  const nlohmann::json json = nlohmann::json::parse(Succeed({"doctor", "--json"}).out);
  EXPECT_EQ(json["alcedo"], ALCEDO_VERSION);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["machine"]["blas_threads"], 1);
  EXPECT_GT(json["machine"]["memory_bytes"], 0);
  EXPECT_GE(json["checks"].size(), 8u);
  for (const auto& check : json["checks"]) EXPECT_EQ(check["ok"], true) << check;
  EXPECT_GT(json["speed"]["images_per_second"], 0);
  EXPECT_GT(json["speed"]["patches_per_second"], json["speed"]["images_per_second"]);
}

TEST_F(Doctor, SaysWhatIsWrongInOneSentence) {
  const Result result = RunCommand({"env", "TMPDIR=/nowhere", ALCEDO_PROGRAM, "doctor"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "alcedo: the folder of temporary files, '/nowhere', cannot be used; set TMPDIR to one "
            "that can\n");
  EXPECT_THAT(result.out, HasSubstr("WRONG        the folder of temporary files"));
  const Result json = RunCommand({"env", "TMPDIR=/nowhere", ALCEDO_PROGRAM, "doctor", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(json.out)["ok"], false);
}

TEST_F(Doctor, Mistakes) {
  EXPECT_THAT(Fail({"doctor", "--jsn"}, 2), HasSubstr("'--json'"));
  EXPECT_THAT(Fail({"doctor", "me"}, 2), HasSubstr("unexpected argument 'me'"));
}

}  // namespace
}  // namespace end_to_end
