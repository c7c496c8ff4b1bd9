#include "alcedo/weights/region_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "alcedo/image/write_image.h"

namespace alcedo {
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
