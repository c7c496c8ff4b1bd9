#include "alcedo/synth/marks.h"

#include <gtest/gtest.h>

#include <set>

#include "alcedo/base/error.h"

namespace alcedo::synth {
namespace {

std::set<std::string> Names(const std::vector<Mark>& marks) {
  std::set<std::string> names;
  for (const Mark& mark : marks) names.insert(MarkName(mark));
  return names;
}

TEST(Marks, AreAllDifferent) {
  for (const int count : {2, 8, 20, kMaxMarks}) {
    EXPECT_EQ(std::ssize(Names(DrawMarks(3, count, 1))), count);
  }
  EXPECT_THROW(DrawMarks(0, 1, 1), InvalidArgument);
  EXPECT_THROW(DrawMarks(0, kMaxMarks + 1, 1), InvalidArgument);
}

TEST(Marks, EightHaveEightColorsAndPlaces) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::set<int> colors, places;
    for (const Mark& mark : DrawMarks(seed, 8, 1)) {
      colors.insert(mark.color);
      places.insert(static_cast<int>(mark.place));
    }
    EXPECT_EQ(colors.size(), 8u);
    EXPECT_EQ(places.size(), 8u);
  }
}

TEST(Marks, DependOnTheSeed) {
  EXPECT_EQ(Names(DrawMarks(1, 8, 1)), Names(DrawMarks(1, 8, 1)));
  EXPECT_NE(Names(DrawMarks(1, 8, 1)), Names(DrawMarks(2, 8, 1)));
}

// The eye is inside of a ring, not under it; the ring grows with its size.
TEST(Marks, ARingGoesAroundTheEye) {
  Mark ring;
  ring.place = MarkPlace::kEyeRing;
  const auto width = [&ring] {
    int covered = 0;
    for (int i = 0; i < 400; ++i) {
      BirdPoint point;
      point.head = kEye + Point{0.001 * i, 0};
      covered += CoverOf(ring, point, 1000).share > 0.5 ? 1 : 0;
    }
    return covered;
  };
  BirdPoint eye;
  eye.head = kEye;
  EXPECT_EQ(CoverOf(ring, eye, 1000).share, 0);
  const int normal = width();
  EXPECT_GT(normal, 0);
  ring.size = 2;
  EXPECT_NEAR(width(), 2 * normal, 2);
}

}  // namespace
}  // namespace alcedo::synth
