#include "alcedo/synth/scene.h"

#include <gtest/gtest.h>

#include <set>

namespace alcedo::synth {
namespace {

constexpr int kWidth = 160, kHeight = 120;

bool Holds(const Box& box, int x, int y) {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

bool Inside(const Box& box, int width, int height) {
  return box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0 &&
         box.x + box.width <= width && box.y + box.height <= height;
}

// As the file has it.
int Stored(float value) { return static_cast<int>(value + 0.5f); }

TEST(Scene, MarksChangeNothingOutsideOfTheirBoxes) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Style style = DrawStyle(seed);
    const std::vector<Mark> marks = DrawMarks(seed, 8, 1);
    const Painting a = PaintScene(style, marks[seed % 8], seed, kWidth, kHeight);
    const Painting b = PaintScene(style, marks[(seed + 3) % 8], seed, kWidth, kHeight);
    int inside = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        for (int c = 0; c < 3; ++c) {
          const int i = y * kWidth + x;
          if (Stored(a.image.Plane(c)[i]) == Stored(b.image.Plane(c)[i])) continue;
          ++inside;
          ASSERT_TRUE(Holds(a.mark, x, y) || Holds(b.mark, x, y)) << seed << ": " << x << ' ' << y;
        }
      }
    }
    EXPECT_GT(inside, 50) << seed;
    EXPECT_EQ(a.bird.x, b.bird.x);
    EXPECT_EQ(a.bird.width, b.bird.width);
  }
}

TEST(Scene, BoxesLieInTheImageAndTheMarkOnTheBird) {
  for (const auto& [width, height] : {std::pair{64, 64}, std::pair{96, 240}, std::pair{200, 64}}) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const std::vector<Mark> marks = DrawMarks(seed, 8, 1);
      const Painting p = PaintScene(DrawStyle(seed), marks[seed % 8], seed, width, height);
      EXPECT_TRUE(Inside(p.bird, width, height)) << seed;
      EXPECT_TRUE(Inside(p.mark, width, height)) << seed;
      EXPECT_TRUE(Holds(p.bird, p.mark.x + p.mark.width / 2, p.mark.y + p.mark.height / 2)) << seed;
      EXPECT_LT(p.mark.width * p.mark.height, p.bird.width * p.bird.height);
      CheckImage(p.image);
    }
  }
}

TEST(Scene, BirdsAreSmallAndStandEverywhere) {
  std::set<int> columns, rows;
  double share = 0;
  constexpr int kScenes = 60;
  const Style style = DrawStyle(0);
  const Mark mark;
  for (std::uint64_t seed = 0; seed < kScenes; ++seed) {
    const Box box = PaintScene(style, mark, seed, kWidth, kHeight).bird;
    columns.insert((box.x + box.width / 2) * 4 / kWidth);
    rows.insert((box.y + box.height / 2) * 4 / kHeight);
    share += static_cast<double>(box.width) * box.height / (kWidth * kHeight) / kScenes;
  }
  EXPECT_EQ(columns.size(), 4u);
  EXPECT_GE(rows.size(), 3u);
  EXPECT_LT(share, 0.1);
}

TEST(Scene, StylesDiffer) {
  std::set<std::vector<Background>> sets;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Style style = DrawStyle(seed);
    EXPECT_EQ(style.backgrounds.size(), 4u);
    sets.insert(style.backgrounds);
  }
  EXPECT_GT(sets.size(), 5u);
}

}  // namespace
}  // namespace alcedo::synth
