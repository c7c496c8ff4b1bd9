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

// The figure's description, in the plane, by Cramer's rule on (P'P + lambda I) phi = P'1.
double SimilarityByHand(double lambda) {
  double phi[2][2];
  for (const int image : {0, 1}) {
    double xx = lambda, xy = 0, yy = lambda, x1 = 0, y1 = 0;
    for (int n = 0; n <= 500; ++n) {
      const double degrees = n < 500 ? 89.5 + n / 499.0 : image == 0 ? 45 : 135;
      const double x = std::cos(degrees * M_PI / 180), y = std::sin(degrees * M_PI / 180);
      xx += x * x, xy += x * y, yy += y * y, x1 += x, y1 += y;
    }
    const double a = x1 * yy - y1 * xy, b = y1 * xx - x1 * xy, norm = std::hypot(a, b);
    phi[image][0] = a / norm, phi[image][1] = b / norm;
  }
  return phi[0][0] * phi[1][0] + phi[0][1] * phi[1][1];
}

TEST(Figure1, WhoeverBuildsWhatItDescribesGetsItsNumbers) {
  for (const double lambda : {0.0, 0.1, 1.0, 100.0}) {
    const Figure1 figure = ComputeFigure1({.sky = 500, .lambda = lambda});
    EXPECT_NEAR(figure.pooled[1].similarity, SimilarityByHand(lambda), 1e-6) << lambda;
  }
  EXPECT_THAT(Figure1Svg(ComputeFigure1()), HasSubstr("evenly from 89.5 to 90.5 degrees"));
  EXPECT_GT(ComputeFigure1({.sky = 1}).sky[1], 0.999999);
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

TEST(Figure1, TheImageHasItsColours) {
  const Image image = Figure1Image(ComputeFigure1());
  CheckImage(image);
  int green = 0, red = 0, blue = 0;
  for (int i = 0; i < image.width * image.height; ++i) {
    const float r = image.Plane(0)[i], g = image.Plane(1)[i], b = image.Plane(2)[i];
    green += r < 20 && g > 140 && b < 130 ? 1 : 0;
    red += r > 190 && g < 110 && b < 20 ? 1 : 0;
    blue += r < 20 && g < 130 && b > 160 ? 1 : 0;
  }
  EXPECT_GT(green, 1000);
  EXPECT_GT(red, 1000);
  EXPECT_GT(blue, 1000);
}

TEST(Figure1, RefusesWhatHasNoMeaning) {
  const auto refusal = [](const Figure1Options& options) {
    try {
      Check(options);
    } catch (const InvalidArgument& error) {
      return error.option() + "|" + error.rule() + "|" + error.value();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal({.sky = 0}), "figure1.sky|must be >= 1|0");
  EXPECT_EQ(refusal({.lambda = -1}), "figure1.lambda|must be >= 0 and finite|-1");
  EXPECT_THROW(ComputeFigure1({.sky = 0}), InvalidArgument);
  EXPECT_THROW(ComputeFigure1({.lambda = -1}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
