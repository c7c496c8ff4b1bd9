// `alcedo info`, help and completion.
#include "encode_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Info : public Encode {};

TEST_F(Info, TellsWhatFilesHold) {
  LearnVocabulary();
  EXPECT_THAT(
      Succeed({"info", "v.safetensors"}).out,
      AllOf(HasSubstr("vocabulary v.safetensors\n"), HasSubstr("gmm: 4 Gaussians of 6 dimensions"),
            HasSubstr("sift descriptors of 128 dimensions, PCA to 6 ("),
            HasSubstr("350 samples of 7 images"), HasSubstr("checksum"),
            HasSubstr("[gmm]\ngaussians = 4")));
  SucceedEncode({"in", "-o", "store"});
  EXPECT_THAT(Succeed({"info", "store"}).out,
              AllOf(HasSubstr("feature store store\n"), HasSubstr("images      7\n"),
                    HasSubstr("48 of f4"), HasSubstr("[image]\nmax_pixels = 100000")));
  EXPECT_EQ(Json(Succeed({"info", "store", "--json"}).out)["config"]["encoder"], "fv");
  SucceedEncode({"in", "-o", "a.npy"});
  EXPECT_THAT(Succeed({"info", "a.npy"}).out,
              AllOf(HasSubstr("7 x 48 of float32"), HasSubstr("encoder = \"fv\"")));
  WriteFile("b.npz", Npz({{"x", Npy(RandomRows(2, 3, 1))}, {"y", Npy(RandomRows(4, 5, 1))}}));
  EXPECT_THAT(Succeed({"info", "b.npz"}).out, AllOf(HasSubstr("x  2 x 3"), HasSubstr("y  4 x 5")));
  WriteFile("c.ppm", Ppm(800, 500, 1));
  EXPECT_THAT(Succeed({"info", "c.ppm"}).out,
              AllOf(HasSubstr("800 x 500"), HasSubstr("3, colour"),
                    HasSubstr("scaled to 400 x 250 (max_pixels 100000)")));
  EXPECT_EQ(Json(Succeed({"info", "c.ppm", "--json"}).out)["width"], 800);
}

TEST_F(Info, VerifiesEveryByte) {
  LearnVocabulary();
  SucceedEncode({"in", "-o", "store"});
  EXPECT_THAT(Succeed({"info", "store"}).err, HasSubstr("--verify"));
  for (const std::string file : {"store", "v.safetensors", "sift"}) {
    EXPECT_THAT(Succeed({"info", file, "--verify"}).out, testing::StartsWith("whole"));
  }
  for (const std::string file : {"store/shard-000000.npy", "v.safetensors"}) {
    std::string bytes = ReadFile(file);
    bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] ^ 1);
    WriteFile(file, bytes);
    const Result result =
        RunProgram({"info", file.starts_with("store") ? "store" : file, "--verify"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, testing::StartsWith("damaged     " + file));
    EXPECT_THAT(result.err, testing::StartsWith("alcedo: 1 file is damaged, first " + file));
  }
}

TEST_F(Info, OfTheVocabulariesThatComeAlong) {
  for (const std::string name : {"sift", "color"}) {
    EXPECT_THAT(Succeed({"info", name}).out, AllOf(HasSubstr("256 Gaussians of 64 dimensions"),
                                                   HasSubstr(name + " descriptors")));
  }
}

TEST_F(Info, HelpHasExamplesAndExitCodes) {
  EXPECT_THAT(Succeed({"--help"}).out,
              AllOf(HasSubstr("encode"), HasSubstr("learn"), HasSubstr("info"),
                    HasSubstr("alcedo encode photo.jpg -o photo.npy")));
  for (const std::string command : {"encode", "learn", "info"}) {
    const std::string help = Succeed({command, "--help"}).out;
    EXPECT_THAT(help, AllOf(HasSubstr("Examples:"), HasSubstr("Exit codes:")));
    for (std::size_t at = 0, end = 0; at < help.size(); at = end + 1) {
      end = std::min(help.find('\n', at), help.size());
      EXPECT_LE(end - at, 100u) << help.substr(at, end - at);
    }
  }
}

}  // namespace
}  // namespace end_to_end
