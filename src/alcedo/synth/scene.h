// An image: a background, a perch, a bird on it, light, and a camera.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/image/image.h"
#include "alcedo/synth/backgrounds.h"
#include "alcedo/synth/bird.h"

namespace alcedo::synth {

// What all images of a collection have in common, whatever their class.
struct Style {
  Color tint;
  std::vector<Background> backgrounds;
  std::vector<Plumage> plumages;
};
Style DrawStyle(std::uint64_t seed);

struct Painting {
  Image image;
  Box bird;
  Box mark;  // all that another mark would change
};

// Everything but the mark comes from the style, the seed and the size: two marks give images that
// are the same outside of their boxes.
Painting PaintScene(const Style& style, const Mark& mark, std::uint64_t seed, int width,
                    int height);

}  // namespace alcedo::synth
