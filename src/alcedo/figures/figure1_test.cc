#include "alcedo/figures/figure1.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

using testing::HasSubstr;

// Two equal rows of sky: the least-squares answer solves sky . phi = 1 and rare . phi = 1.
TEST(Figure1, GmpIsAsSimilarToSkyAsToTheRarePatch) {
  const Figure1 figure = ComputeFigure1({.sky = 500, .lambda = 0});
  ASSERT_EQ(figure.pooled.size(), 2u);
  const Figure1Pooled &sum = figure.pooled[0], &gmp = figure.pooled[1];
  EXPECT_NEAR(gmp.first.dot(figure.sky), gmp.first.dot(figure.rare_first), 0.02);
  EXPECT_NEAR(gmp.second.dot(figure.sky), gmp.second.dot(figure.rare_second), 0.02);
  EXPECT_GT(sum.first.dot(figure.sky), 0.9999);
  EXPECT_LT(sum.first.dot(figure.rare_first), 0.72);
  // Half-way between 45 and 90 degrees, and 90 and 135: 45 degrees apart.
  EXPECT_NEAR(gmp.similarity, std::cos(0.785398), 0.02);
  EXPECT_GT(sum.similarity, 0.9999);
  for (const Figure1Pooled& pooled : figure.pooled) {
    EXPECT_NEAR(pooled.first.norm(), 1, 1e-12);
    EXPECT_NEAR(pooled.first.dot(pooled.second), pooled.similarity, 1e-12);
  }
}

TEST(Figure1, ALargeLambdaIsSumPooling) {
  const Figure1 figure = ComputeFigure1({.sky = 100, .lambda = 1e9});
  EXPECT_NEAR(figure.pooled[1].similarity, figure.pooled[0].similarity, 1e-6);
}

TEST(Figure1, TheSvgIsWholeAndSaysWhatItShows) {
  const Figure1 figure = ComputeFigure1();
  const std::string svg = Figure1Svg(figure);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  const pugi::xml_node root = document.child("svg");
  EXPECT_STRNE(root.child("title").text().get(), "");
  EXPECT_THAT(root.child("desc").text().get(), HasSubstr("500 patches of sky"));
  const std::string number = std::to_string(figure.pooled[1].similarity).substr(0, 5);
  EXPECT_THAT(root.child("desc").text().get(), HasSubstr(number));
  // Five arrows in each panel, five in the legend.
  int heads = 0;
  for (const pugi::xml_node node : root.children("polygon")) {
    (void)node;
    ++heads;
  }
  EXPECT_EQ(heads, 15);
  EXPECT_THAT(svg, testing::Not(HasSubstr("nan")));
}

TEST(Figure1, ThePictureHasItsColours) {
  const Image picture = Figure1Picture(ComputeFigure1());
  CheckImage(picture);
  int green = 0, red = 0, blue = 0;
  for (int i = 0; i < picture.width * picture.height; ++i) {
    const float r = picture.Plane(0)[i], g = picture.Plane(1)[i], b = picture.Plane(2)[i];
    green += r < 20 && g > 140 && b < 130 ? 1 : 0;
    red += r > 190 && g < 110 && b < 20 ? 1 : 0;
    blue += r < 20 && g < 130 && b > 160 ? 1 : 0;
  }
  EXPECT_GT(green, 1000);
  EXPECT_GT(red, 1000);
  EXPECT_GT(blue, 1000);
}

TEST(Figure1, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(ComputeFigure1({.sky = 0}), InvalidArgument);
  EXPECT_THROW(ComputeFigure1({.lambda = -1}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
