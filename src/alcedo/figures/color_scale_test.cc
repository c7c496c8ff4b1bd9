#include "alcedo/figures/color_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace alcedo {
namespace {

double Linear(double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); }

// CIE 1976 L* from the luminance of sRGB (IEC 61966-2-1).
double Lightness(const Rgb& c) {
  const double y = 0.2126 * Linear(c[0]) + 0.7152 * Linear(c[1]) + 0.0722 * Linear(c[2]);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

// OKLab by its definition: through XYZ (D65), the matrix M1, cube roots, the matrix M2.
std::array<double, 3> Oklab(const Rgb& c) {
  const double r = Linear(c[0]), g = Linear(c[1]), b = Linear(c[2]);
  const double xyz[3] = {0.4124564 * r + 0.3575761 * g + 0.1804375 * b,
                         0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
                         0.0193339 * r + 0.1191920 * g + 0.9503041 * b};
  const double m1[3][3] = {{0.8189330101, 0.3618667424, -0.1288597137},
                           {0.0329845436, 0.9293118715, 0.0361456387},
                           {0.0482003018, 0.2643662691, 0.6338517070}};
  const double m2[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                           {1.9779984951, -2.4285922050, 0.4505937099},
                           {0.0259040371, 0.7827717662, -0.8086757660}};
  double lms[3];
  for (int i = 0; i < 3; ++i) {
    lms[i] = std::cbrt(m1[i][0] * xyz[0] + m1[i][1] * xyz[1] + m1[i][2] * xyz[2]);
  }
  std::array<double, 3> lab{};
  for (int i = 0; i < 3; ++i) lab[i] = m2[i][0] * lms[0] + m2[i][1] * lms[1] + m2[i][2] * lms[2];
  return lab;
}

double Apart(const Rgb& a, const Rgb& b) {
  const auto x = Oklab(a), y = Oklab(b);
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

TEST(SequentialColor, GrowsLighterAllTheWay) {
  for (int i = 1; i < 256; ++i) {
    EXPECT_GT(Lightness(SequentialColor(i / 255.0)), Lightness(SequentialColor((i - 1) / 255.0)))
        << i;
  }
  EXPECT_LT(Lightness(SequentialColor(0)), 20);
  EXPECT_GT(Lightness(SequentialColor(1)), 85);
}

TEST(SequentialColor, EqualStepsLookEqual) {
  std::vector<double> steps;
  for (int i = 1; i < 256; ++i) {
    steps.push_back(Apart(SequentialColor((i - 1) / 255.0), SequentialColor(i / 255.0)));
  }
  const auto [low, high] = std::minmax_element(steps.begin(), steps.end());
  EXPECT_LT(*high / *low, 1.05);
}

TEST(SequentialColor, HasTheEndsOfViridis) {
  const Rgb dark{0x44 / 255.0, 0x01 / 255.0, 0x54 / 255.0};
  const Rgb light{0xfd / 255.0, 0xe7 / 255.0, 0x25 / 255.0};
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(SequentialColor(0)[c], dark[c], 1e-3);
    EXPECT_NEAR(SequentialColor(1)[c], light[c], 1e-3);
  }
}

TEST(DivergingColor, IsLightestInTheMiddleAndSymmetric) {
  for (int i = 1; i <= 100; ++i) {
    const double t = i / 100.0, before = (i - 1) / 100.0;
    EXPECT_LT(Lightness(DivergingColor(t)), Lightness(DivergingColor(before)));
    EXPECT_LT(Lightness(DivergingColor(-t)), Lightness(DivergingColor(-before)));
    EXPECT_NEAR(Oklab(DivergingColor(t))[0], Oklab(DivergingColor(-t))[0], 2e-3);
    EXPECT_NEAR(Apart(DivergingColor(t), DivergingColor(before)),
                Apart(DivergingColor(-t), DivergingColor(-before)), 1e-4);
  }
  const Rgb zero = DivergingColor(0);
  EXPECT_NEAR(zero[0], zero[1], 1e-3);
  EXPECT_NEAR(zero[1], zero[2], 1e-3);
  EXPECT_GT(DivergingColor(1)[0], DivergingColor(1)[2]) << "positive is red";
  EXPECT_GT(DivergingColor(-1)[2], DivergingColor(-1)[0]) << "negative is blue";
}

TEST(DivergingColor, EqualStepsLookEqual) {
  std::vector<double> steps;
  for (int i = -99; i <= 100; ++i) {
    steps.push_back(Apart(DivergingColor((i - 1) / 100.0), DivergingColor(i / 100.0)));
  }
  const auto [low, high] = std::minmax_element(steps.begin(), steps.end());
  EXPECT_LT(*high / *low, 1.05);
}

TEST(Colors, OutsideAreTheEnds) {
  EXPECT_EQ(SequentialColor(-3), SequentialColor(0));
  EXPECT_EQ(SequentialColor(7), SequentialColor(1));
  EXPECT_EQ(DivergingColor(-3), DivergingColor(-1));
  EXPECT_EQ(SequentialColor(std::numeric_limits<double>::quiet_NaN()), SequentialColor(0));
}

TEST(ScaleFor, NegativeValuesChooseTheDivergingScale) {
  const ColorScale scale = ScaleFor(std::vector<float>{-1, 0, 3});
  EXPECT_TRUE(scale.diverging);
  EXPECT_EQ(scale.low, -3);
  EXPECT_EQ(scale.high, 3);
  EXPECT_EQ(scale(0), DivergingColor(0));
  EXPECT_EQ(scale(-1), DivergingColor(-1.0 / 3));
  const ColorScale deep = ScaleFor(std::vector<float>{-5, 2});
  EXPECT_EQ(deep.high, 5);
}

TEST(ScaleFor, OthersGoFromZeroToTheLargest) {
  const ColorScale scale = ScaleFor(std::vector<float>{1, 4, 2});
  EXPECT_FALSE(scale.diverging);
  EXPECT_EQ(scale.low, 0);
  EXPECT_EQ(scale.high, 4);
  // Less than could be seen.
  EXPECT_FALSE(ScaleFor(std::vector<float>{-0.001f, 1}).diverging);
}

TEST(ScaleFor, NothingToShowIsAScaleAllTheSame) {
  for (const std::vector<float>& values : {std::vector<float>{}, std::vector<float>{0, 0}}) {
    const ColorScale scale = ScaleFor(values);
    EXPECT_FALSE(scale.diverging);
    EXPECT_EQ(scale.low, 0);
    EXPECT_EQ(scale.high, 1);
    EXPECT_EQ(scale(0), SequentialColor(0));
  }
}

}  // namespace
}  // namespace alcedo
