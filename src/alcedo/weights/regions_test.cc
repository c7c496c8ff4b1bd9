#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/image/write_image.h"
#include "alcedo/weights/regions.h"

namespace alcedo {
namespace {

WeightMap RandomMap(int width, int height) {
  Rng rng(11);
  WeightMap map{width, height, {}};
  for (int i = 0; i < width * height; ++i) map.values.push_back(static_cast<float>(rng.Normal()));
  return map;
}

TEST(ShareInside, IsTheNaiveSum) {
  const WeightMap map = RandomMap(9, 7);
  const Box box{2, 1, 4, 5};
  double positive = 0, all_positive = 0, absolute = 0, all_absolute = 0;
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 9; ++x) {
      const double v = map.values[static_cast<std::size_t>(y * 9 + x)];
      const bool inside = x >= 2 && x < 6 && y >= 1 && y < 6;
      if (v > 0) all_positive += v;
      all_absolute += std::fabs(v);
      if (inside && v > 0) positive += v;
      if (inside) absolute += std::fabs(v);
    }
  }
  const Region region = RegionOfBoxes(std::span(&box, 1), 9, 7);
  EXPECT_NEAR(ShareInside(map, region, MapPart::kPositive).value(), positive / all_positive, 1e-12);
  EXPECT_NEAR(ShareInside(map, region, MapPart::kAbsolute).value(), absolute / all_absolute, 1e-12);
  EXPECT_NEAR(AreaShare(region), 20.0 / 63, 1e-7);
}

TEST(RegionOfBoxes, CutsPixelsByTheirArea) {
  const Box box{0.5, 0.25, 1, 0.5};
  const Region region = RegionOfBoxes(std::span(&box, 1), 3, 2);
  EXPECT_EQ(region.inside, (std::vector<float>{0.25f, 0.25f, 0, 0, 0, 0}));
}

TEST(RegionOfBoxes, IsClippedToThePicture) {
  const Box box{-5, -5, 100, 100};
  EXPECT_EQ(AreaShare(RegionOfBoxes(std::span(&box, 1), 4, 3)), 1);
  const Box outside{10, 10, 5, 5};
  EXPECT_EQ(AreaShare(RegionOfBoxes(std::span(&outside, 1), 4, 3)), 0);
}

TEST(RegionOfBoxes, SeveralAreTheirUnion) {
  const std::vector<Box> boxes{{0, 0, 3, 2}, {1, 0, 3, 2}};
  EXPECT_EQ(AreaShare(RegionOfBoxes(boxes, 8, 2)), 0.5);
  EXPECT_EQ(AreaShare(RegionOfBoxes({}, 8, 2)), 0);
}

TEST(RegionOfMask, IsWhatIsBright) {
  Image mask = MakeImage(2, 2, 1);
  mask.samples = {0, 127, 128, 255};
  EXPECT_EQ(RegionOfMask(mask).inside, (std::vector<float>{0, 0, 1, 1}));
}

TEST(ShareInside, OfAMapOfZerosIsNothing) {
  const WeightMap zeros{2, 2, {0, 0, 0, 0}}, negative{2, 2, {-1, -1, 0, 0}};
  const Region all{2, 2, {1, 1, 1, 1}};
  EXPECT_FALSE(ShareInside(zeros, all, MapPart::kAbsolute).has_value());
  EXPECT_FALSE(ShareInside(negative, all, MapPart::kPositive).has_value());
  EXPECT_EQ(ShareInside(negative, all, MapPart::kAbsolute), 1);
}

TEST(Region, RefusesWhatDoesNotFit) {
  EXPECT_THROW(ShareInside(RandomMap(3, 3), Region{2, 2, {1, 1, 1, 1}}, MapPart::kPositive),
               InvalidArgument);
  const Box flat{0, 0, 0, 3}, nan{NAN, 0, 1, 1};
  EXPECT_THROW(RegionOfBoxes(std::span(&flat, 1), 4, 4), InvalidArgument);
  EXPECT_THROW(RegionOfBoxes(std::span(&nan, 1), 4, 4), InvalidArgument);
}

}  // namespace

namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class RegionListTest : public testing::Test {
 protected:
  ~RegionListTest() override { fs::remove(file_); }
  std::string Write(const std::string& text) const {
    std::ofstream(file_) << text;
    return file_;
  }
  std::string Refusal(const std::string& text) const {
    try {
      RegionList::FromCsv(Write(text));
    } catch (const FormatError& error) {
      EXPECT_EQ(error.file(), file_);
      return error.reason();
    }
    return "";
  }
  const std::string file_ =
      fs::temp_directory_path() / ("alcedo_regions_" + std::to_string(getpid()));
};

TEST(ParseCsv, QuotedFieldsMayHoldAnything) {
  EXPECT_THAT(ParseCsv("a,\"b,\"\"c\"\"\nd\"\r\n\r\n,\n", "t"),
              ElementsAre(ElementsAre("a", "b,\"c\"\nd"), ElementsAre("", "")));
  EXPECT_THROW(ParseCsv("a,\"b", "t"), FormatError);
}

TEST_F(RegionListTest, BoxesAreFoundByPathOrByFileName) {
  const RegionList regions = RegionList::FromCsv(
      Write("\xef\xbb\xbfheight,width,note,y,x,image\n4,3,n,2,1,a.jpg\n1,1,,0,0,a.jpg\n"));
  EXPECT_EQ(regions.BoxesOf("in/a.jpg").size(), 2u);
  EXPECT_EQ(regions.BoxesOf("a.jpg")[0].width, 3);
  EXPECT_TRUE(regions.BoxesOf("b.jpg").empty());
  EXPECT_FALSE(regions.Of("b.jpg", 10, 10).has_value());
  // 12 pixels of one box and 1 of the other, which do not overlap.
  EXPECT_NEAR(AreaShare(*regions.Of("a.jpg", 10, 10)), 0.13, 1e-6);
  EXPECT_THROW(regions.Of("a.jpg", 1, 1), InvalidArgument);
  regions.CheckNames(std::vector<Input>{{"x", "x"}, {"in/a.jpg", "in/a.jpg"}});
  EXPECT_THROW(regions.CheckNames(std::vector<Input>{{"x", "x"}}), FormatError);
}

TEST_F(RegionListTest, WhatIsWrongWithATableIsNamed) {
  EXPECT_THAT(Refusal("image,x,y,width\n"), HasSubstr("it has no 'height'"));
  EXPECT_THAT(Refusal("image,x,x,y,width,height\n"), HasSubstr("more than one 'x'"));
  const std::string head = "image,x,y,width,height\n";
  EXPECT_THAT(Refusal(head + "a,1,2,3\n"), HasSubstr("record 2 has 4 fields, not 5"));
  EXPECT_THAT(Refusal(head + "a,1,2,3,x\n"), HasSubstr("'x' is not a number"));
  EXPECT_THAT(Refusal(head + "a,1,inf,3,4\n"), HasSubstr("'inf' is not finite"));
  EXPECT_THAT(Refusal(head + "a,1,2,0,4\n"), HasSubstr("wider and taller than 0"));
}

TEST_F(RegionListTest, ATableInUtf16IsRefused) {
  EXPECT_THAT(Refusal("\xff\xfei"), HasSubstr("UTF-16"));
}

TEST_F(RegionListTest, AMaskMustHaveTheSizeOfTheImage) {
  Image mask = MakeImage(4, 2, 1);
  mask.samples[3] = 255;
  const RegionList regions = RegionList::FromMask(Write(PnmBytes(mask)), {});
  EXPECT_NEAR(AreaShare(*regions.Of("any", 4, 2)), 1.0 / 8, 1e-6);
  EXPECT_THROW(regions.Of("any", 2, 4), InvalidArgument);
  EXPECT_TRUE(regions.BoxesOf("any").empty());
}

}  // namespace
}  // namespace alcedo
