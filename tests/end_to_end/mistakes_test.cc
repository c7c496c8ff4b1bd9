// What people get wrong: one sentence that says what, where, and what to do.
#include <unistd.h>

#include "encode_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Mistakes : public Encode {
 protected:
  Mistakes() { LearnVocabulary(); }
};

TEST_F(Mistakes, AMissingFile) {
  EXPECT_THAT(FailEncode({"phoot.jpg", "-o", "o.npy"}, 1),
              HasSubstr("phoot.jpg: cannot be read: No such"));
  EXPECT_THAT(FailEncode({"in", "phoot.jpg", "-o", "o/"}, 1), HasSubstr("phoot.jpg"));
  EXPECT_THAT(Fail({"learn", "nothing/", "-o", "o.safetensors"}, 1), HasSubstr("nothing/"));
  EXPECT_THAT(Fail({"info", "nothing"}, 1), HasSubstr("nothing"));
}

TEST_F(Mistakes, ATextForAPicture) {
  WriteFile("photo.jpg", "this is a text\n");
  EXPECT_THAT(FailEncode({"photo.jpg", "-o", "o.npy"}, 1), HasSubstr("photo.jpg"));
  EXPECT_THAT(Fail({"learn", "photo.jpg", "-o", "o.safetensors"}, 1), HasSubstr("photo.jpg"));
  EXPECT_THAT(Fail({"info", "photo.jpg"}, 1), HasSubstr("photo.jpg: is not an image"));
}

TEST_F(Mistakes, ATruncatedPicture) {
  WriteFile("a.jpg", TinyJpeg().substr(0, 150));
  WriteFile("a.png", Png(40, 40, 1).substr(0, 700));
  WriteFile("a.pgm", Pgm(40, 40, 1).substr(0, 700));
  for (const std::string file : {"a.jpg", "a.png", "a.pgm"}) {
    EXPECT_THAT(FailEncode({file, "-o", "o.npy"}, 1), HasSubstr(file));
  }
}

TEST_F(Mistakes, AnEmptyFolder) {
  fs::create_directory("empty");
  EXPECT_THAT(FailEncode({"empty", "-o", "o.npy"}, 1),
              AllOf(HasSubstr("empty: has no image"), HasSubstr(".jpg")));
  EXPECT_THAT(Fail({"learn", "empty", "-o", "o.safetensors"}, 1), HasSubstr("empty: has no image"));
  EXPECT_THAT(Fail({"learn", "empty", "--descriptor", "external", "-o", "o.safetensors"}, 1),
              HasSubstr("empty: has no array file"));
  EXPECT_THAT(Fail({"info", "empty"}, 1), HasSubstr("empty is not a feature store"));
}

TEST_F(Mistakes, AnUnknownVocabulary) {
  EXPECT_THAT(Fail({"encode", "in", "--vocabulary", "shift", "-o", "o.npy"}, 1),
              AllOf(HasSubstr("no vocabulary 'shift'"), HasSubstr("sift and color")));
  WriteFile("w", "text");
  EXPECT_THAT(Fail({"encode", "in", "--vocabulary", "w", "-o", "o.npy"}, 1), HasSubstr("w"));
  WriteFile("w", ReadFile("v.safetensors").substr(0, 4000));
  EXPECT_THAT(Fail({"encode", "in", "--vocabulary", "w", "-o", "o.npy"}, 1), HasSubstr("w"));
}

TEST_F(Mistakes, AStoreOfOtherOptions) {
  SucceedEncode({"in", "-o", "store"});
  EXPECT_THAT(FailEncode({"in", "-o", "store", "--l2"}, 1),
              AllOf(HasSubstr("store"), HasSubstr("l2")));
  EXPECT_THAT(FailEncode({"in", "-o", "store", "--images-per-shard", "5"}, 1), HasSubstr("128"));
  fs::create_directory("folder");
  WriteFile("folder/letter.txt", "dear");
  EXPECT_THAT(FailEncode({"in", "-o", "folder"}, 1), HasSubstr("letter.txt"));
}

TEST_F(Mistakes, NoPermission) {
  if (geteuid() == 0) {
    // Nothing is forbidden to root, but some files cannot be made by anybody.
    EXPECT_THAT(FailEncode({"in", "-o", "/proc/o.npy"}, 1), HasSubstr("/proc/o.npy"));
    EXPECT_THAT(FailEncode({"in", "-o", "/proc/o/"}, 1), HasSubstr("/proc/o"));
    EXPECT_THAT(Fail(SmallLearn("in", "/proc/o.safetensors"), 1), HasSubstr("/proc/o"));
    return;
  }
  fs::create_directory("closed");
  fs::permissions("closed", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(FailEncode({"in", "-o", "closed/o.npy"}, 1), HasSubstr("Permission denied"));
  EXPECT_THAT(FailEncode({"in", "-o", "closed/o/"}, 1), HasSubstr("Permission denied"));
  EXPECT_THAT(Fail(SmallLearn("in", "closed/o.safetensors"), 1), HasSubstr("Permission denied"));
  fs::permissions("in/p0001.pgm", fs::perms::none);
  EXPECT_THAT(FailEncode({"in/p0001.pgm", "-o", "o.npy"}, 1), HasSubstr("Permission denied"));
  EXPECT_EQ(RunEncode({"in", "-o", "o.npy"}).exit_code, 3);
}

// The first bytes of a file tell that it is something else: the rest is not read.
TEST_F(Mistakes, ALargeFileOfSomethingElse) {
  WriteFile("zeros", "");
  fs::resize_file("zeros", std::uintmax_t{1} << 30);
  constexpr long kMostKib = 512 * 1024;
  const Result encode = RunProgram({"encode", "in", "--vocabulary", "zeros", "-o", "o.npy"});
  EXPECT_EQ(encode.exit_code, 1);
  EXPECT_THAT(encode.err, HasSubstr("zeros: is not a vocabulary"));
  EXPECT_LT(encode.peak_kib, kMostKib);
  const Result classify = RunProgram({"classify", "zeros", "in"});
  EXPECT_EQ(classify.exit_code, 1);
  EXPECT_THAT(classify.err, HasSubstr("zeros: is not a model"));
  EXPECT_LT(classify.peak_kib, kMostKib);
  EXPECT_THAT(Fail({"encode", "in", "--config", "zeros", "-o", "o.npy"}, 1),
              HasSubstr("zeros: has 1024 MiB, more than the 1 MiB"));
}

TEST_F(Mistakes, AMisspeltOption) {
  EXPECT_THAT(FailEncode({"in", "--piramid", "1", "-o", "o.npy"}, 2), HasSubstr("'--pyramid'"));
  EXPECT_THAT(FailEncode({"in", "--fv-asignment=soft", "-o", "o.npy"}, 2),
              HasSubstr("'--fv-assignment'"));
  EXPECT_THAT(FailEncode({"in", "--encoder", "fw", "-o", "o.npy"}, 2), HasSubstr("'fv'"));
  EXPECT_THAT(Fail({"learn", "in", "--gausians", "4", "-o", "o.safetensors"}, 2),
              HasSubstr("'--gaussians'"));
  EXPECT_THAT(Fail({"enkode"}, 2), HasSubstr("'encode'"));
  EXPECT_THAT(FailEncode({"in"}, 2), HasSubstr("-o"));
  EXPECT_THAT(FailEncode({"-o", "o.npy"}, 2), HasSubstr("no IMAGES"));
  EXPECT_THAT(FailEncode({"in", "-o", "o.csv"}, 2), HasSubstr("o.csv"));
  EXPECT_THAT(FailEncode({"in", "-o", "o.npy", "--images-per-shard", "5"}, 2), HasSubstr("folder"));
  EXPECT_THAT(Fail({"learn", "in", "-o", "in"}, 2), HasSubstr("is a folder"));
  EXPECT_THAT(Fail({"learn", "in", "-o", "voc"}, 2),
              HasSubstr("'voc' must end in .safetensors, as in -o voc.safetensors"));
  EXPECT_THAT(Fail({"learn", "in", "-o", "-"}, 2),
              HasSubstr("a vocabulary cannot be written to standard output"));
}

TEST_F(Mistakes, AVocabularyOfTheWrongKind) {
  Succeed({"learn", "in", "--kind", "kmeans", "--clusters", "3", "--samples", "300", "-o",
           "k.safetensors", "--quiet"});
  EXPECT_THAT(
      Fail({"encode", "in", "--vocabulary", "k.safetensors", "--encoder", "fv", "-o", "o.npy"}, 1),
      AllOf(HasSubstr("encoder fv"), HasSubstr("--kind gmm")));
  EXPECT_THAT(FailEncode({"in", "--encoder", "sparse", "-o", "o.npy"}, 1), HasSubstr("dictionary"));
  EXPECT_THAT(FailEncode({"in", "--gaussians", "256", "-o", "o.npy"}, 1), HasSubstr("256"));
  EXPECT_THAT(FailEncode({"in", "--descriptor", "color", "-o", "o.npy"}, 1), HasSubstr("color"));
}

TEST_F(Mistakes, DescriptorsOfAnotherDimension) {
  WriteFile("tokens/a.npy", Npy(RandomRows(30, 5, 1)));
  Succeed({"learn", "tokens", "-o", "t.safetensors", "--gaussians", "2", "--quiet"});
  WriteFile("other.npy", Npy(RandomRows(30, 6, 1)));
  EXPECT_THAT(Fail({"encode", "other.npy", "--vocabulary", "t.safetensors", "-o", "o.npy"}, 1),
              AllOf(HasSubstr("other.npy"), HasSubstr("6"), HasSubstr("5")));
  EXPECT_THAT(FailEncode({"other.npy", "-o", "o.npy"}, 1), HasSubstr("--descriptor external"));
  EXPECT_THAT(Fail({"encode", "in/p0000.pgm", "--vocabulary", "t.safetensors", "-o", "o.npy"}, 1),
              HasSubstr("not an array file"));
}

// Not a fault of the images: one sentence, whatever their number.
TEST_F(Mistakes, ValuesOutOfRange) {
  const auto expect = [](const Args& flags, const std::string& start) {
    EXPECT_THAT(FailEncode(flags + Args{"in", "-o", "o.npy"}, 2),
                testing::StartsWith("alcedo: " + start));
    EXPECT_THAT(FailEncode(flags + Args{"in", "-o", "o/"}, 2), HasSubstr(start));
  };
  expect({"--lambda", "-1"}, "--lambda must be");
  expect({"--power", "2"}, "--power must be");
  expect({"--pyramid", "x"}, "--pyramid must be");
  expect({"--step", "0"}, "--step must be");
  expect({"--encoder", "emk", "--emk-outputs", "0"}, "--emk-outputs must be");
  expect({"--fv-assignment", "soft", "--fv-posterior-threshold", "2"}, "--fv-posterior-threshold");
  expect({"--max-iterations", "0"}, "--max-iterations must be");
  expect({"--pooling", "lp", "--lp-p", "0"}, "--lp-p must be");
  expect({"--pooling", "democratic", "--democratic-gamma", "2"}, "--democratic-gamma must be");
  expect({"--encoder", "llc", "--llc-nearest", "0"}, "--llc-nearest must be");
  expect({"--patch", "7"}, "--patch must be");
  expect({"--max-pixels", "-1"}, "--max-pixels must be");
  expect({"--max-image-memory", "nan"}, "--max-image-memory must be");
  for (const Args& flags : {Args{"--gaussians", "0"},
                            {"--step", "0"},
                            {"--max-pixels", "-1"},
                            {"--samples", "0"},
                            {"--pca-dimensions", "-1"},
                            {"--sift-contrast", "-1"}}) {
    EXPECT_THAT(Fail(Args{"learn", "in", "-o", "o.safetensors"} + flags, 2),
                testing::StartsWith("alcedo: " + flags[0] + " must be"));
  }
  EXPECT_THAT(
      Fail({"learn", "in", "-o", "o.safetensors", "--kind", "fourier", "--fourier-outputs", "0"},
           2),
      testing::StartsWith("alcedo: --fourier-outputs must be"));
}

// Vectors of zeros are nobody's wish.
TEST_F(Mistakes, NoRoomForAPatch) {
  for (const Args& output : {Args{"-o", "o.npy"}, Args{"-o", "store/"}}) {
    EXPECT_THAT(FailEncode(Args{"in", "--max-pixels", "100"} + output, 1),
                AllOf(HasSubstr("--max-pixels"), HasSubstr("--patch")));
  }
  // Only the pictures tell; what was stored of them stays.
  EXPECT_THAT(FailEncode({"in", "--patch", "80", "-o", "o.npy"}, 1),
              AllOf(HasSubstr("no image has room for a patch of 80 x 80 pixels (--patch)"),
                    HasSubstr("nothing was written")));
  const Result stored =
      RunProgram({"encode", "in", "--vocabulary", "v.safetensors", "--patch", "80", "-o", "store"});
  EXPECT_EQ(stored.exit_code, 0);
  EXPECT_THAT(stored.err, testing::StartsWith("alcedo: warning: no image has room for a patch"));
  // One picture with patches is enough.
  WriteFile("in/large.pgm", Pgm(120, 120, 1));
  EXPECT_EQ(RunEncode({"in", "--patch", "80", "-o", "o.npy"}).exit_code, 0);
}

// The command line is not to blame for what a file says.
TEST_F(Mistakes, ValuesOutOfRangeInAFileOfOptions) {
  WriteFile("c.toml", "lambda = [-1.0]\n[grid]\nstep = 0\n");
  EXPECT_THAT(FailEncode({"in", "--config", "c.toml", "--lambda", "1", "-o", "o.npy"}, 1),
              testing::StartsWith("alcedo: c.toml: grid.step must be >= 1"));
  EXPECT_THAT(FailEncode({"in", "--config", "c.toml", "--step", "4", "-o", "o.npy"}, 1),
              testing::StartsWith("alcedo: c.toml: lambda must be >= 0"));
  EXPECT_THAT(
      FailEncode({"in", "--config", "c.toml", "--step", "4", "--lambda", "-2", "-o", "o.npy"}, 2),
      testing::StartsWith("alcedo: --lambda must be >= 0"));
  WriteFile("l.toml", "[gmm]\ngaussians = 0\n");
  EXPECT_THAT(Fail({"learn", "in", "--config", "l.toml", "-o", "o.safetensors"}, 1),
              testing::StartsWith("alcedo: l.toml: gmm.gaussians must be >= 1"));
}

}  // namespace
}  // namespace end_to_end
