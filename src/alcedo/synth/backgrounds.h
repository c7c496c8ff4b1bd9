// What is behind the bird: it fills nearly all of an image, and says nothing about the class.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "alcedo/base/options.h"
#include "alcedo/base/random.h"
#include "alcedo/synth/canvas.h"

namespace alcedo::synth {

enum class Background { kSky, kWater, kBark, kFoliage, kReeds, kGrass };
inline constexpr int kBackgrounds = 6;

// Fills the canvas. Lengths are in units of a 240th of its height, so that an image of another
// size shows the same things larger or smaller. `tint` is what the collection's light and season
// do to colours.
void PaintBackground(Background kind, const Color& tint, Rng& rng, Canvas& canvas);

namespace internal {

double Unit(const Canvas& canvas);
// One of a few colours, and the same a little lighter or darker.
Color PickColor(std::initializer_list<unsigned> colors, double spread, Rng& rng);

void PaintSky(const Color& tint, Rng& rng, Canvas& canvas);
void PaintWater(const Color& tint, Rng& rng, Canvas& canvas);
void PaintBark(const Color& tint, Rng& rng, Canvas& canvas);
void PaintFoliage(const Color& tint, Rng& rng, Canvas& canvas);
void PaintReeds(const Color& tint, Rng& rng, Canvas& canvas);
void PaintGrass(const Color& tint, Rng& rng, Canvas& canvas);

}  // namespace internal
}  // namespace alcedo::synth
