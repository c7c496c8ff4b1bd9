// A bird from the side, sitting.
#pragma once

#include <cstdint>

#include "alcedo/base/random.h"
#include "alcedo/synth/canvas.h"
#include "alcedo/synth/marks.h"

namespace alcedo::synth {

// How a species looks, but for the mark.
struct Plumage {
  Color back, belly, wing, beak;
  double beak_length = 0.2;
  double streaks = 0.3;  // how much feathers show
};
Plumage DrawPlumage(Rng& rng);

struct Pose {
  Point at;             // of the middle of the body, in pixels
  double scale = 50;    // length of the body in pixels
  double tilt = 0;      // of the whole bird
  bool mirror = false;  // looks to the left
  double nod = 0;       // of the head, around the neck
  bool looks_back = false;
  double girth = 1;  // of the body
};

// Where the bird can be around Pose::at, in lengths of its body: beak, tail, crown and feet.
inline constexpr double kReachX = 1.05, kReachY = 0.85;

// Where its feet hold on to the perch, in pixels.
Point FeetOf(const Pose& pose);

// Pixels x to x + width - 1, y to y + height - 1.
struct Box {
  int x = 0, y = 0, width = 0, height = 0;
};

struct BirdBoxes {
  Box bird, mark;
};

// `light` points to the sun (to the right, up, to the viewer; length 1), `seed` to its feathers.
struct Sun {
  double x = 0, up = 0.7, near = 0.7;
};
BirdBoxes PaintBird(const Pose& pose, const Plumage& plumage, const Mark& mark, const Sun& sun,
                    std::uint64_t seed, Canvas& canvas);

}  // namespace alcedo::synth
