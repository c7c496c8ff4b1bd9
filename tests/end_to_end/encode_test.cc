// `alcedo encode`: shapes, names and headers, whatever the form of the output.
#include "encode_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Shape = std::vector<std::size_t>;
namespace fs = std::filesystem;

constexpr std::size_t kDimension = 4 * 2 * 6;  // Fisher: Gaussians x [u v] x PCA

TEST_F(Encode, NeedsNoTraining) {
  WriteFile("photo.pgm", Pgm(120, 90, 3));
  Succeed({"encode", "photo.pgm", "-o", "photo.npy", "--quiet"});
  EXPECT_EQ(ParseNpy(ReadFile("photo.npy")).shape, Shape{256 * 2 * 64});
  Succeed({"encode", "photo.pgm", "--vocabulary", "color", "-o", "color.npy", "--quiet"});
  EXPECT_EQ(ParseNpy(ReadFile("color.npy")).shape, Shape{256 * 2 * 64});
}

TEST_F(Encode, ColourHasAVocabularyOfItsOwn) {
  MakePictures("in", 1, 64);
  Succeed({"encode", "in", "--descriptor", "color", "-o", "a.npy", "--quiet"});
  Succeed({"encode", "in", "--vocabulary", "color", "-o", "b.npy", "--quiet"});
  EXPECT_EQ(ReadFile("a.npy"), ReadFile("b.npy"));
  WriteFile("c.toml", "descriptor = \"color\"\n");
  Succeed({"encode", "in", "--config", "c.toml", "-o", "c.npy", "--quiet"});
  EXPECT_EQ(ReadFile("a.npy"), ReadFile("c.npy"));
}

TEST_F(Encode, OnePictureIsAVector) {
  LearnVocabulary();
  SucceedEncode({"in/p0003.pgm", "-o", "a.npy"});
  EXPECT_EQ(ParseNpy(ReadFile("a.npy")).shape, Shape{kDimension});
  EXPECT_FALSE(fs::exists("a.npy.names.txt"));
  const nlohmann::json header = Json(ReadFile("a.npy.json"));
  EXPECT_EQ(header["alcedo"], ALCEDO_VERSION);
  EXPECT_EQ(header["images"], 1);
  EXPECT_EQ(header["config"]["encoder"], "fv");
  EXPECT_EQ(header["config"]["image"]["max_pixels"], 100000);
  EXPECT_EQ(header["config"]["gmp"]["relative"], true);
  EXPECT_EQ(header["vocabulary_checksum"],
            Json(Succeed({"info", "v.safetensors", "--json"}).out)["checksum"]);
}

TEST_F(Encode, AFolderIsATableOfItsPictures) {
  LearnVocabulary();
  const Array all = Encoded({"in"});
  EXPECT_EQ(all.shape, (Shape{7, kDimension}));
  EXPECT_EQ(ReadFile("encoded.npy.names.txt"),
            "p0000.pgm\np0001.pgm\np0002.pgm\np0003.pgm\np0004.pgm\np0005.pgm\np0006.pgm\n");
  for (std::size_t i = 0; i < 7; ++i) {
    const Array one = Encoded({"in/p000" + std::to_string(i) + ".pgm"});
    const Row row(all.values.begin() + static_cast<std::ptrdiff_t>(i * kDimension),
                  all.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * kDimension));
    EXPECT_EQ(one.values, row);
  }
}

TEST_F(Encode, SeveralLambdasAreRowsOfAnImage) {
  LearnVocabulary();
  const Array path = Encoded({"in", "--lambda", "1,100", "--dtype", "f8"});
  EXPECT_EQ(path.shape, (Shape{7, 2, kDimension}));
  EXPECT_EQ(path.type, "<f8");
  EXPECT_EQ(Encoded({"in/p0000.pgm", "--lambda", "1,100"}).shape, (Shape{2, kDimension}));
  SucceedEncode({"in", "--lambda", "1,100", "--dtype", "f8", "-o", "f.safetensors"});
  std::string metadata;
  const Array same = ParseSafetensors(ReadFile("f.safetensors"), &metadata);
  EXPECT_EQ(same.shape, path.shape);
  EXPECT_EQ(same.values, path.values);
  EXPECT_EQ(Json(Json(metadata)["names"].get<std::string>()).size(), 7u);
  EXPECT_EQ(Json(Json(metadata)["config"].get<std::string>())["lambda"],
            nlohmann::json({1.0, 100.0}));
}

TEST_F(Encode, EncodersPoolingsAndNormalisations) {
  LearnVocabulary();
  EXPECT_EQ(Encoded({"in", "--encoder", "bov", "--pooling", "max"}).shape, (Shape{7, 4}));
  EXPECT_EQ(Encoded({"in", "--encoder", "vlad", "--pyramid", "1,3x1"}).shape, (Shape{7, 4 * 24}));
  EXPECT_EQ(Encoded({"in", "--encoder", "sv", "--pooling", "democratic"}).shape, (Shape{7, 28}));
  EXPECT_EQ(Encoded({"in", "--encoder", "emk", "--emk-outputs", "10"}).shape, (Shape{7, 10}));
  EXPECT_EQ(Encoded({"in", "--encoder", "llc", "--llc-nearest", "2"}).shape, (Shape{7, 4}));
  EXPECT_EQ(Encoded({"in", "--encoder", "soft-bov", "--soft-bov-sigma", "1"}).shape, (Shape{7, 4}));
  const Array unit = Encoded({"in/p0000.pgm", "--power", "0.5", "--l2", "--pyramid", "paper"});
  double norm = 0;
  for (const double value : unit.values) norm += value * value;
  EXPECT_NEAR(norm, 1, 1e-5);
}

TEST_F(Encode, AStoreHoldsTheSameRows) {
  LearnVocabulary();
  const Array all = Encoded({"in"});
  SucceedEncode({"in", "-o", "store", "--images-per-shard", "3"});
  Row rows;
  for (const std::string shard : {"0", "1", "2"}) {
    const Array part = ParseNpy(ReadFile("store/shard-00000" + shard + ".npy"));
    EXPECT_EQ(part.shape, (Shape{shard == "2" ? 1u : 3u, kDimension}));
    rows.insert(rows.end(), part.values.begin(), part.values.end());
  }
  EXPECT_EQ(rows, all.values);
  EXPECT_THAT(ReadFile("store/index.csv"), HasSubstr("p0003.pgm,1,0,"));
  EXPECT_EQ(ReadFile("store/failures.csv"), "name,reason\r\n");
}

TEST_F(Encode, TheSameBytesOnAnyNumberOfThreads) {
  LearnVocabulary();
  for (const std::string threads : {"1", "2"}) {
    SucceedEncode({"in", "-o", "store" + threads, "--images-per-shard", "2", "--threads", threads});
    SucceedEncode({"in", "-o", threads + ".npy", "--threads", threads, "--lambda", "0.1,10"});
    SucceedEncode({"in/p0001.pgm", "-o", threads + "one.npy", "--threads", threads});
  }
  EXPECT_EQ(FilesBelow("store1"), FilesBelow("store2"));
  EXPECT_EQ(ReadFile("1.npy"), ReadFile("2.npy"));
  EXPECT_EQ(ReadFile("1one.npy"), ReadFile("2one.npy"));
}

TEST_F(Encode, AStoreGrowsAndSkipsWhatItHas) {
  LearnVocabulary();
  const Args args{"encode", "in",     "--vocabulary",       "v.safetensors",
                  "-o",     "store/", "--images-per-shard", "3"};
  RunProgram(args);
  const auto before = FilesBelow("store");
  EXPECT_THAT(RunProgram(args).err, HasSubstr("7 images were done before"));
  EXPECT_EQ(FilesBelow("store"), before);
  // One of a kind is not several.
  const Args one{"encode", "in/p0001.pgm", "--vocabulary", "v.safetensors", "-o", "one/"};
  EXPECT_THAT(RunProgram(one).err, HasSubstr("one/ holds 1 vector in 1 shard\n"));
  EXPECT_THAT(RunProgram(one).err, HasSubstr("1 image was done before; one/ holds 1 vector"));
  // A new picture, and one with other contents.
  WriteFile("in/new.png", Png(50, 40, 5));
  WriteFile("in/p0002.pgm", Pgm(48, 48, 99));
  const Result grown = RunProgram(args);
  EXPECT_EQ(grown.exit_code, 0) << grown.err;
  EXPECT_THAT(grown.err, AllOf(HasSubstr("2 images in "), HasSubstr("6 images were done before")));
  EXPECT_THAT(
      ReadFile("store/index.csv"),
      AllOf(HasSubstr("new.png,3,0,"), HasSubstr("p0002.pgm,3,1,"), Not(HasSubstr("p0002.pgm,0"))));
  // The vocabulary may move.
  fs::rename("v.safetensors", "in/v.safetensors");
  EXPECT_EQ(RunProgram({"encode", "in", "--vocabulary", "in/v.safetensors", "-o", "store/",
                        "--images-per-shard", "3"})
                .exit_code,
            0);
}

TEST_F(Encode, SaysWhatItDid) {
  LearnVocabulary();
  WriteFile("large.ppm", Ppm(80, 60, 1));
  Args args{"encode",       "large.ppm", "--vocabulary", "v.safetensors",
            "--max-pixels", "1200",      "-o",           "a.npy"};
  EXPECT_THAT(RunProgram(args).err,
              AllOf(HasSubstr("large.ppm: 80 x 60 scaled to 40 x 30 (--max-pixels 1200), "),
                    HasSubstr(" patches\n"), HasSubstr("48 dimensions"), HasSubstr("lambda "),
                    HasSubstr("(relative 1)"), HasSubstr("wrote a.npy")));
  args = {"encode", "in",    "--vocabulary",    "v.safetensors",
          "-o",     "a.npy", "--fv-assignment", "soft"};
  const Result piped = RunProgram(args);
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_EQ(piped.out, "");
  EXPECT_THAT(piped.err, AllOf(HasSubstr("7 images in "), HasSubstr("images/s"),
                               HasSubstr("none of them were scaled down to at most 100,000 pixels"),
                               HasSubstr("posterior mass"), Not(HasSubstr("\r"))));
  MakePictures("many", 400, 120);  // long enough to be shown
  if (!HasTerminals()) GTEST_SKIP() << "no terminals here: what a person sees was not tested";
  EXPECT_THAT(
      RunOnTerminal({"encode", "many", "--vocabulary", "v.safetensors", "-o", "many.npy"}).err,
      AllOf(HasSubstr("\r"), HasSubstr("/400 images"), HasSubstr(" left")));
}

TEST_F(Encode, BadImagesAreListedAndDoNotStopTheOthers) {
  LearnVocabulary();
  WriteFile("in/a.jpg", "this is a text");
  WriteFile("in/q.jpg", TinyJpeg().substr(0, 120));
  WriteFile("in/empty.png", "");
  for (const std::string output : {"out.npy", "out/"}) {
    const Result result = RunEncode({"in", "-o", output});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("alcedo: 3 of 10 images were bad:\n"), HasSubstr("  a.jpg"),
                      HasSubstr("  empty.png"), HasSubstr("  q.jpg")));
  }
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).shape, (Shape{7, kDimension}));
  EXPECT_EQ(Json(ReadFile("out.npy.json"))["failures"].size(), 3u);
  EXPECT_THAT(ReadFile("out/failures.csv"),
              AllOf(HasSubstr("\r\na.jpg,"), HasSubstr("\r\nempty.png,"), HasSubstr("\r\nq.jpg,")));
  // Known ones are not forgotten, and one that was mended is encoded.
  EXPECT_EQ(RunEncode({"in", "-o", "out/"}).exit_code, 3);
  for (const char* name : {"in/a.jpg", "in/q.jpg", "in/empty.png"}) WriteFile(name, TinyJpeg());
  SucceedEncode({"in", "-o", "out/"});
  EXPECT_EQ(ReadFile("out/failures.csv"), "name,reason\r\n");
}

TEST_F(Encode, ManyBadImagesAreCounted) {
  LearnVocabulary();
  for (int i = 0; i < 30; ++i) WriteFile("bad/" + std::to_string(i) + ".png", "text");
  const Result result = RunEncode({"in", "bad", "-o", "out/"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 22) << result.err;
  EXPECT_THAT(result.err, HasSubstr("and 10 more, listed in out/failures.csv"));
  const Result none = RunEncode({"bad", "-o", "none.npy"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_FALSE(fs::exists("none.npy"));
}

}  // namespace
}  // namespace end_to_end
