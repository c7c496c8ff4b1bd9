// `alcedo weights` and `alcedo figure1`: maps, shares, and what becomes of odd pictures.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::HasSubstr;
using Shape = std::vector<std::size_t>;
namespace fs = std::filesystem;

constexpr int kWidth = 96, kHeight = 80;
constexpr int kDiscX = 66, kDiscY = 28;

// Grass, and a red disc.
std::string OddObject() {
  std::string bytes = "P6 96 80 255\n";
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool odd = std::hypot(x - kDiscX, y - kDiscY) < 7;
      const int noise = (x * 7 + y * 13) % 5;
      for (const int value : {odd ? 200 : 60 + noise, odd ? 40 : 130 + noise, 50 + noise}) {
        bytes += static_cast<char>(value);
      }
    }
  }
  return bytes;
}

std::string Flat(int width, int height, char gray) {
  return "P5 " + std::to_string(width) + " " + std::to_string(height) + " 255\n" +
         std::string(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), gray);
}

class Weights : public EndToEnd {
 protected:
  Weights() { WriteFile("odd.ppm", OddObject()); }

  static Args WeightsArgs(const Args& more) {
    return Args{"weights", "--emk-outputs", "64"} + more;
  }
  static Result Draw(const Args& more) { return Succeed(WeightsArgs(more)); }
  static nlohmann::json Json(const std::string& file) {
    return nlohmann::json::parse(ReadFile(file));
  }
  static bool IsPng(const std::string& file) {
    return ReadFile(file).substr(0, 8) == "\x89PNG\r\n\x1a\n";
  }
  // The share of the positive values of a map of this size inside of whole pixels.
  static double NaiveShare(const Row& map, int x0, int y0, int width, int height) {
    double inside = 0, all = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const double value = std::max(0.0, map[static_cast<std::size_t>(y * kWidth + x)]);
        all += value;
        if (x >= x0 && x < x0 + width && y >= y0 && y < y0 + height) inside += value;
      }
    }
    return inside / all;
  }
};

TEST_F(Weights, TheMapIsLargestOnTheOddObject) {
  Draw({"odd.ppm", "-o", "out"});
  const Array map = ParseNpy(ReadFile("out/odd.ppm.map.npy"));
  EXPECT_EQ(map.type, "<f4");
  ASSERT_EQ(map.shape, (Shape{kHeight, kWidth}));
  const auto at =
      static_cast<int>(std::max_element(map.values.begin(), map.values.end()) - map.values.begin());
  EXPECT_LT(std::hypot(at % kWidth - kDiscX, at / kWidth - kDiscY), 16);
  EXPECT_TRUE(IsPng("out/odd.ppm.weights.png"));
  EXPECT_TRUE(IsPng("out/odd.ppm.map.png"));
  EXPECT_EQ(FilesBelow("out").size(), 3u) << "one image has no contact sheet";
}

TEST_F(Weights, OnePngIsTheFigureAlone) {
  Draw({"odd.ppm", "-o", "out"});
  Draw({"odd.ppm", "-o", "figure.png"});
  EXPECT_EQ(ReadFile("figure.png"), ReadFile("out/odd.ppm.weights.png"));
}

TEST_F(Weights, SaysWhatItDid) {
  const std::string err = Draw({"odd.ppm", "-o", "figure.png"}).err;
  EXPECT_THAT(err, testing::MatchesRegex("wrote figure.png: weights of [0-9,]+ patches of 1 "
                                         "image, lambda [0-9.e+]+ \\(relative 1000\\)\n"));
  EXPECT_EQ(Draw({"odd.ppm", "-o", "figure.png", "-q"}).err, "");
  EXPECT_EQ(Draw({"odd.ppm", "-o", "out/", "--lambda", "7"}).err.substr(0, 10), "wrote out/");
}

TEST_F(Weights, SharesAreThoseOfTheMap) {
  const Result result =
      Draw({"odd.ppm", "-o", "out", "--box", "55,15,20,25", "--json", "s.json", "--csv", "s.csv"});
  const Array map = ParseNpy(ReadFile("out/odd.ppm.map.npy"));
  const double share = NaiveShare(map.values, 55, 15, 20, 25);
  const nlohmann::json json = Json("s.json");
  const nlohmann::json& image = json["images"][0];
  EXPECT_NEAR(image["maps"][0]["positive"].get<double>(), share, 1e-6);
  EXPECT_NEAR(image["area"].get<double>(), 20.0 * 25 / (kWidth * kHeight), 1e-6);
  EXPECT_EQ(json["mean"][0]["positive"], image["maps"][0]["positive"]);
  EXPECT_EQ(json["mean"][0]["above_equal"], 1);
  EXPECT_EQ(json["config"]["encoder"], "emk");
  EXPECT_EQ(json["map"], "sum");
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.1f", 100 * share);
  EXPECT_THAT(result.out, HasSubstr(percent));
  EXPECT_THAT(ReadFile("s.csv"), HasSubstr("image,lambda,width,height,patches"));
  EXPECT_THAT(ReadFile("s.csv"), HasSubstr("odd.ppm,1000,96,80,"));
}

TEST_F(Weights, EqualWeightsAreWhatALargeLambdaGives) {
  Draw({"odd.ppm", "--lambda", "1e12", "--box", "10,20,30,40", "--json", "s.json"});
  const nlohmann::json json = Json("s.json");
  const nlohmann::json& image = json["images"][0];
  EXPECT_NEAR(image["maps"][0]["positive"].get<double>(), image["equal"].get<double>(), 1e-6);
  EXPECT_GT(image["equal"].get<double>(), image["area"].get<double>()) << "the border has less";
  Draw({"odd.ppm", "--lambda", "1e12", "--map", "mean", "-o", "out"});
  const Array mean = ParseNpy(ReadFile("out/odd.ppm.map.npy"));
  const auto [low, high] = std::minmax_element(mean.values.begin(), mean.values.end());
  EXPECT_GT(*low, 0.999 * *high) << "equal weights have one mean";
}

TEST_F(Weights, BoxesOfATableAndAMaskAreTheSameRegion) {
  WriteFile("boxes.csv", "image,x,y,width,height\r\nodd.ppm,55,15,20,25\r\nother.jpg,0,0,1,1\r\n");
  std::string mask = "P5 96 80 255\n";
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      mask += x >= 55 && x < 75 && y >= 15 && y < 40 ? '\xff' : '\0';
    }
  }
  WriteFile("mask.pgm", mask);
  Draw({"odd.ppm", "--box", "55,15,20,25", "--json", "a.json"});
  Draw({"odd.ppm", "--boxes", "boxes.csv", "--json", "b.json"});
  Draw({"odd.ppm", "--mask", "mask.pgm", "--json", "c.json"});
  EXPECT_EQ(ReadFile("a.json"), ReadFile("b.json"));
  EXPECT_EQ(ReadFile("a.json"), ReadFile("c.json"));
}

TEST_F(Weights, ATableOfBoxesMayHaveOtherColumnsInAnyOrder) {
  WriteFile("plain.csv", "image,x,y,width,height\nodd.ppm,55,15,20,25\n");
  WriteFile("more.csv", "mark,height,image,width,y,x\n\"a,b\",25,odd.ppm,20,15,55\n");
  WriteFile("excel.csv", "\xef\xbb\xbfimage,x,y,width,height\nodd.ppm,55,15,20,25\n");
  Draw({"odd.ppm", "--boxes", "plain.csv", "--json", "a.json"});
  Draw({"odd.ppm", "--boxes", "more.csv", "--json", "b.json"});
  Draw({"odd.ppm", "--boxes", "excel.csv", "--json", "c.json"});
  EXPECT_EQ(ReadFile("a.json"), ReadFile("b.json"));
  EXPECT_EQ(ReadFile("a.json"), ReadFile("c.json"));
  WriteFile("none.csv", "image,x,y,width\nodd.ppm,55,15,20\n");
  EXPECT_THAT(Fail(WeightsArgs({"odd.ppm", "--boxes", "none.csv", "--json", "d.json"}), 1),
              HasSubstr("it has no 'height'"));
  WriteFile("two.csv", "image,x,x,y,width,height\nodd.ppm,55,55,15,20,25\n");
  EXPECT_THAT(Fail(WeightsArgs({"odd.ppm", "--boxes", "two.csv", "--json", "d.json"}), 1),
              HasSubstr("more than one 'x'"));
}

// For programs: nothing but the table, whatever a person would be shown.
TEST_F(Weights, TablesOnStandardOutputStandAlone) {
  const Args box{"odd.ppm", "--box", "55,15,20,25"};
  Draw(box + Args{"--json", "s.json", "--csv", "s.csv"});
  EXPECT_EQ(RunProgram(WeightsArgs(box + Args{"--json", "-"})).out, ReadFile("s.json"));
  EXPECT_EQ(RunProgram(WeightsArgs(box + Args{"--csv", "-"})).out, ReadFile("s.csv"));
  EXPECT_FALSE(fs::exists("-"));
  EXPECT_THAT(Fail(WeightsArgs(box + Args{"--json", "-", "--csv", "-"}), 2),
              HasSubstr("--json and --csv cannot both be standard output"));
  EXPECT_THAT(Fail(WeightsArgs(box + Args{"-o", "-"}), 2),
              HasSubstr("which cannot be standard output"));
}

TEST_F(Weights, PicturesOfOtherFormatsAreNamed) {
  fs::create_directory("in");
  fs::copy_file("odd.ppm", "in/odd.ppm");
  for (const char* file : {"in/a.bmp", "in/b/c.bmp", "in/d.TIFF", "in/notes.txt"}) {
    WriteFile(file, "x");
  }
  const Result result = RunProgram(WeightsArgs({"in", "-o", "out"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("note: 2 .bmp and 1 .tiff are left out: images that can be "
                                    "read are JPEG, PNG, WebP, GIF and PNM\n"));
  EXPECT_EQ(RunProgram(WeightsArgs({"in", "-o", "out", "-q"})).err, "");
  fs::remove("in/odd.ppm");
  EXPECT_THAT(Fail(WeightsArgs({"in", "-o", "out"}), 1), HasSubstr("), but 2 .bmp and 1 .tiff"));
}

TEST_F(Weights, ABoxOutsideOfThePictureIsAMistake) {
  const std::string outside = "lies outside of the image of 96 x 80 pixels";
  EXPECT_THAT(Fail(WeightsArgs({"odd.ppm", "--box", "5000,5000,10,10", "--json", "s.json"}), 1),
              testing::AllOf(HasSubstr("the box 5000,5000,10,10"), HasSubstr(outside)));
  Draw({"odd.ppm", "--box", "90,70,100,100", "--json", "partly.json"});
  WriteFile("in/a.ppm", OddObject());
  WriteFile("in/b.ppm", OddObject());
  WriteFile("boxes.csv", "image,x,y,width,height\na.ppm,55,15,20,25\nb.ppm,-20,0,20,9\n");
  const Result result =
      RunProgram(WeightsArgs({"in", "--boxes", "boxes.csv", "--json", "table.json"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, testing::AllOf(HasSubstr("b.ppm"), HasSubstr(outside)));
  EXPECT_EQ(Json("table.json")["images"].size(), 1u);
}

// What one command writes another reads.
TEST_F(Weights, TheBoxesOfPaintedBirdsAreRead) {
  Succeed({"synth", "birds", "--classes", "2", "--images", "1", "--quiet"});
  Draw({"birds", "--boxes", "birds/boxes.csv", "--csv", "s.csv", "--quiet"});
  EXPECT_THAT(ReadFile("s.csv"), HasSubstr("image,lambda"));
}

TEST_F(Weights, SeveralLambdasAreMapsInIncreasingOrder) {
  Draw({"odd.ppm", "--lambda", "1000,0.5,1000", "--lambda-relative", "-o", "out"});
  const Array maps = ParseNpy(ReadFile("out/odd.ppm.map.npy"));
  EXPECT_EQ(maps.shape, (Shape{2, kHeight, kWidth}));
  EXPECT_TRUE(IsPng("out/odd.ppm.map-0.5.png"));
  EXPECT_TRUE(IsPng("out/odd.ppm.map-1000.png"));
  Draw({"odd.ppm", "--lambda", "1000", "--lambda-relative", "-o", "one"});
  const Array one = ParseNpy(ReadFile("one/odd.ppm.map.npy"));
  EXPECT_EQ(one.values, Row(maps.values.end() - kWidth * kHeight, maps.values.end()));
}

TEST_F(Weights, TheSameBytesForAnyNumberOfThreads) {
  MakePictures("in", 3, 40);
  const Args args{"in", "--lambda", "1,100", "--box", "3,4,20,10"};
  for (const char* threads : {"1", "2"}) {
    const std::string out = std::string("out") + threads;
    Draw(args + Args{"-o", out, "--threads", threads, "--json", out + ".json"});
  }
  EXPECT_EQ(FilesBelow("out1"), FilesBelow("out2"));
  EXPECT_EQ(FilesBelow("out1").count("contact_sheet.png"), 1u);
  EXPECT_EQ(ReadFile("out1.json"), ReadFile("out2.json"));
}

TEST_F(Weights, EncodersAndDescriptors) {
  for (const Args& choice :
       {Args{"--encoder", "fv"}, Args{"--encoder", "fv", "--descriptor", "sift"},
        Args{"--descriptor", "sift"}}) {
    const Result result = RunProgram(Args{"weights", "odd.ppm", "-o", "out"} + choice);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const double value : ParseNpy(ReadFile("out/odd.ppm.map.npy")).values) {
      ASSERT_TRUE(std::isfinite(value));
    }
  }
}

TEST_F(Weights, BadPicturesAreSkippedAndNamed) {
  MakePictures("in", 2, 40);
  WriteFile("in/broken.png", "\x89PNG\r\n\x1a\nand no more");
  const Result result = RunProgram(WeightsArgs({"in", "-o", "out", "--json", "s.json"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("alcedo: 1 of 3 images was bad:"));
  EXPECT_THAT(result.err, HasSubstr("broken.png"));
  EXPECT_TRUE(fs::exists("out/p0000.pgm.weights.png"));
  EXPECT_TRUE(fs::exists("out/p0001.pgm.weights.png"));
  EXPECT_FALSE(fs::exists("out/broken.png.weights.png"));
  EXPECT_EQ(Json("s.json")["failures"][0]["name"], "broken.png");
}

TEST_F(Weights, DegeneratePicturesHaveADefinedAnswer) {
  WriteFile("tiny.pgm", Flat(5, 4, 'x'));       // no patch
  WriteFile("one.pgm", Flat(24, 24, 'x'));      // one patch
  WriteFile("flat.pgm", Flat(60, 50, '\x55'));  // one colour, grey
  for (const char* descriptor : {"color", "sift"}) {
    for (const char* name : {"tiny.pgm", "one.pgm", "flat.pgm"}) {
      Draw({name, "--descriptor", descriptor, "--lambda", "0,1", "--box", "0,0,3,3", "-o", "out",
            "--json", "s.json", "--quiet"});
      const std::string file = std::string("out/") + name + ".map.npy";
      for (const double value : ParseNpy(ReadFile(file)).values) {
        ASSERT_TRUE(std::isfinite(value)) << name;
        ASSERT_GE(value, 0) << name;
      }
      const nlohmann::json json = Json("s.json");
      EXPECT_EQ(json["images"][0]["maps"][1]["positive"].is_null(),
                std::string(name) == "tiny.pgm");
    }
  }
  const Array tiny = ParseNpy(ReadFile("out/tiny.pgm.map.npy"));
  EXPECT_EQ(tiny.shape, (Shape{2, 4, 5}));
  EXPECT_EQ(tiny.values, Row(40, 0));
  EXPECT_THAT(RunProgram(WeightsArgs({"tiny.pgm", "odd.ppm", "-o", "out"})).err,
              HasSubstr("warning: 1 of the images have no patches: their maps are zero\n"));
}

TEST_F(Weights, ADatasetBringsItsBoxes) {
  const auto write = [](const std::string& name, const std::string& text) {
    WriteFile("cub/" + name, text);
  };
  write("classes.txt", "1 001.Disc\n2 002.Other\n");
  write("images.txt", "1 001.Disc/a.jpg\n2 001.Disc/b.jpg\n3 002.Other/c.jpg\n4 002.Other/d.jpg\n");
  write("image_class_labels.txt", "1 1\n2 1\n3 2\n4 2\n");
  write("train_test_split.txt", "1 1\n2 0\n3 1\n4 0\n");
  write("bounding_boxes.txt",
        "1 55.0 15.0 20.0 25.0\n2 0.0 0.0 96.0 80.0\n3 1.0 1.0 4.0 4.0\n4 1.0 1.0 4.0 4.0\n");
  for (const char* name : {"001.Disc/a", "001.Disc/b", "002.Other/c", "002.Other/d"}) {
    write(std::string("images/") + name + ".jpg", OddObject());
  }
  Draw({"--dataset", "cub", "--json", "s.json"});
  Draw({"odd.ppm", "--box", "55,15,20,25", "--json", "one.json"});
  const nlohmann::json json = Json("s.json"), one = Json("one.json");
  ASSERT_EQ(json["images"].size(), 4u);
  EXPECT_EQ(json["images"][0]["maps"], one["images"][0]["maps"]);
  EXPECT_EQ(json["images"][1]["maps"][0]["positive"], 1.0);
  EXPECT_EQ(json["images"][1]["area"], 1.0);
}

TEST_F(Weights, MistakesAreOneSentence) {
  const auto fail = [](const Args& more, int code) { return Fail(Args{"weights"} + more, code); };
  EXPECT_THAT(fail({"odd.ppm"}, 2), HasSubstr("no output given: add -o OUT/"));
  EXPECT_THAT(fail({"-o", "out"}, 2), HasSubstr("no IMAGES given"));
  EXPECT_THAT(fail({"odd.ppm", "-o", "out.npy"}, 2), HasSubstr("must be a folder, or end in .png"));
  EXPECT_THAT(fail({"odd.ppm", "odd.ppm", "./odd.ppm", "--dataset", "d"}, 2),
              HasSubstr("--dataset stands instead of IMAGES"));
  EXPECT_THAT(fail({"odd.ppm", "--box", "1,2,3"}, 2), HasSubstr("--box is x,y,width,height"));
  EXPECT_THAT(fail({"odd.ppm", "--box", "1,2,0,4"}, 2), HasSubstr("wider and taller than 0"));
  EXPECT_THAT(fail({"odd.ppm", "--box", "1,2,3,4", "--mask", "m"}, 2), HasSubstr("give one of"));
  EXPECT_THAT(fail({"odd.ppm", "-o", "out", "--lambda", "-1"}, 2),
              HasSubstr("--lambda must be >= 0"));
  EXPECT_THAT(fail({"odd.ppm", "-o", "out", "--encoder", "fv", "--emk-outputs", "3"}, 2),
              HasSubstr("--emk-outputs"));
  EXPECT_THAT(fail({"odd.ppm", "-o", "out", "--descriptor", "external"}, 2),
              HasSubstr("--descriptor is sift or color"));
  EXPECT_THAT(fail({"none.jpg", "-o", "out"}, 1), HasSubstr("none.jpg"));
  WriteFile("boxes.csv", "a,b\n");
  EXPECT_THAT(fail({"odd.ppm", "--boxes", "boxes.csv"}, 1), HasSubstr("the first line must name"));
  WriteFile("boxes.csv", "image,x,y,width,height\nodd.ppm,1,2,three,4\n");
  EXPECT_THAT(fail({"odd.ppm", "--boxes", "boxes.csv"}, 1), HasSubstr("'three' is not a number"));
  WriteFile("boxes.csv", "image,x,y,width,height\nother.jpg,1,2,3,4\n");
  EXPECT_THAT(fail({"odd.ppm", "--boxes", "boxes.csv"}, 1), HasSubstr("has no box of any"));
  WriteFile("mask.pgm", Flat(5, 4, 'x'));
  EXPECT_THAT(fail({"odd.ppm", "--mask", "mask.pgm"}, 1), HasSubstr("the mask 5 x 4"));
  EXPECT_THAT(fail({"odd.ppm", "--mask", "mask.pgm", "-o", "out"}, 1), HasSubstr("the mask 5 x 4"));
  fs::create_directory("in");
  WriteFile("in/a.ppm", OddObject());
  EXPECT_THAT(fail({"in", "-o", "a.png"}, 2), HasSubstr("is the figure of one image"));
}

TEST_F(Weights, Figure1IsDrawnTwice) {
  EXPECT_EQ(Succeed({"figure1", "-o", "f.svg", "--png", "f.png"}).err,
            "wrote f.svg, f.png: lambda 0\n");
  EXPECT_EQ(Succeed({"figure1", "-o", "f.svg", "-q"}).err, "");
  EXPECT_THAT(ReadFile("f.svg"), HasSubstr("<desc>Two images share 500 patches of sky"));
  EXPECT_TRUE(IsPng("f.png"));
  Succeed({"figure1", "-o", "g.svg", "--lambda", "100"});
  EXPECT_NE(ReadFile("f.svg"), ReadFile("g.svg"));
  Succeed({"figure1", "-o", "h.png"});
  EXPECT_EQ(ReadFile("h.png"), ReadFile("f.png"));
  EXPECT_EQ(Succeed({"figure1", "-o", "-"}).out, ReadFile("f.svg"));
  EXPECT_THAT(Fail({"figure1", "-o", "f.jpg"}, 2), HasSubstr("must end in .svg or .png"));
  EXPECT_THAT(Fail({"figure1", "-o", "f.svg", "--png", "f.gif"}, 2), HasSubstr("--png 'f.gif'"));
  EXPECT_THAT(Fail({"figure1"}, 2), HasSubstr("no output given"));
  EXPECT_THAT(Fail({"figure1", "-o", "f.svg", "--lambda", "-1"}, 2), HasSubstr(">= 0"));
  EXPECT_THAT(Fail({"figure1", "-o", "no/f.svg"}, 1), HasSubstr("no"));
}

// What is added to the name makes it too long for a file.
TEST_F(Weights, AnImageWithALongNameIsListedAndCostsNothingElse) {
  const std::string name = std::string(251, 'x') + ".ppm";
  for (const std::string& file : {std::string("a.ppm"), name, std::string("z.ppm")}) {
    WriteFile("in/" + file, OddObject());
  }
  const Result result = RunProgram(WeightsArgs({"in", "-o", "maps", "--json", "shares.json"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              testing::AllOf(HasSubstr("1 of 3 images was bad"), HasSubstr("too many")));
  EXPECT_TRUE(IsPng("maps/a.ppm.weights.png"));
  EXPECT_TRUE(IsPng("maps/z.ppm.weights.png"));
  EXPECT_EQ(Json("shares.json")["images"].size(), 2u);
  EXPECT_THAT(Fail(WeightsArgs({"in/" + name, "-o", "alone"}), 1), HasSubstr("too many"));
}

}  // namespace
}  // namespace end_to_end
