// The small marks that tell the classes apart, and nothing else does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/synth/canvas.h"

namespace alcedo::synth {

enum class MarkPlace { kWingBar, kEyeRing, kThroat, kCrown, kCheek, kRump, kBreast, kShoulder };
enum class MarkPattern { kPlain, kBarred, kSpotted };

struct Mark {
  MarkPlace place = MarkPlace::kThroat;
  MarkPattern pattern = MarkPattern::kPlain;
  int color = 0;    // of MarkColors()
  double size = 1;  // of lengths
};

// "red-throat", "blue-spotted-crown": different for marks that differ in more than size.
std::string MarkName(const Mark& mark);

// `count` marks, no two alike; a colour or a place comes back only when all have been used. Of
// 2 to kMaxMarks.
inline constexpr int kMaxMarks = 100;
std::vector<Mark> DrawMarks(std::uint64_t seed, int count, double size);

// One place on a bird in the coordinates of its parts, in lengths of its body: the head's and the
// body's point forwards, the wing's to its tip, all have y downwards.
struct BirdPoint {
  Point body, head, wing;
};

// How much of this place the mark covers, if a pixel is 1 / `pixels` wide, and its colour there.
struct MarkCover {
  double share = 0;
  Color color;
};
MarkCover CoverOf(const Mark& mark, const BirdPoint& point, double pixels);

// Where the eye is in the coordinates of the head: rings go around it.
inline constexpr Point kEye{0.07, -0.04};

}  // namespace alcedo::synth
