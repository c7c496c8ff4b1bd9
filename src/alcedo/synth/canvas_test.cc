#include "alcedo/synth/canvas.h"

#include <gtest/gtest.h>

#include <cmath>

namespace alcedo::synth {
namespace {

TEST(Canvas, BlurKeepsLightAndReachesAsFarAsItSays) {
  Canvas canvas(31, 31);
  canvas.At(15, 15) = {1, 0.5f, 0};
  const double sigma = 1.3;
  Blur(canvas, sigma);
  double red = 0, green = 0;
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 31; ++x) {
      const Color& pixel = canvas.At(x, y);
      red += pixel.r, green += pixel.g;
      const bool near =
          std::abs(x - 15) <= BlurRadius(sigma) && std::abs(y - 15) <= BlurRadius(sigma);
      EXPECT_EQ(pixel.r > 0, near) << x << ' ' << y;
    }
  }
  EXPECT_NEAR(red, 1, 1e-5);
  EXPECT_NEAR(green, 0.5, 1e-5);
  EXPECT_NEAR(canvas.At(15, 15).r / canvas.At(16, 15).r, std::exp(1 / (2 * sigma * sigma)), 1e-4);
}

TEST(Canvas, CoversSharesAndLeavesTheRest) {
  Canvas canvas(2, 1);
  canvas.Cover(0, 0, {1, 1, 1}, 0.25);
  canvas.Cover(5, 0, {1, 1, 1}, 1);
  canvas.Cover(-1, 0, {1, 1, 1}, 1);
  EXPECT_FLOAT_EQ(canvas.At(0, 0).g, 0.25f);
  EXPECT_EQ(canvas.At(1, 0).g, 0);
}

TEST(Canvas, ColorsComeBackAsTheyWereWritten) {
  Canvas canvas(2, 1);
  canvas.At(0, 0) = Srgb(0x1280ff);
  canvas.At(1, 0) = {2, -1, 0};
  const Image image = ToImage(canvas);
  EXPECT_NEAR(image.Plane(0)[0], 0x12, 0.01);
  EXPECT_NEAR(image.Plane(1)[0], 0x80, 0.01);
  EXPECT_NEAR(image.Plane(2)[0], 0xff, 0.01);
  EXPECT_EQ(image.Plane(0)[1], 255);
  EXPECT_EQ(image.Plane(1)[1], 0);
}

TEST(Noise, IsSmoothBoundedAndOfMeanZero) {
  double sum = 0, squares = 0, steepest = 0;
  constexpr int kSide = 200;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const double n = Noise(7, 0.173 * x, 0.173 * y);
      EXPECT_LT(std::abs(n), 1);
      sum += n, squares += n * n;
      steepest = std::max(steepest, std::abs(Noise(7, 0.173 * x + 1e-3, 0.173 * y) - n) / 1e-3);
    }
  }
  EXPECT_NEAR(sum / (kSide * kSide), 0, 0.05);
  EXPECT_GT(squares / (kSide * kSide), 0.03);
  EXPECT_LT(steepest, 6);
  EXPECT_NE(Noise(7, 0.4, 0.3), Noise(8, 0.4, 0.3));
}

}  // namespace
}  // namespace alcedo::synth
