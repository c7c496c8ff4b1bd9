// Backgrounds that are made of many leaves, stalks and blades, the far ones painted first.
#include <algorithm>
#include <cmath>

#include "alcedo/synth/backgrounds.h"
#include "alcedo/synth/noise.h"

namespace alcedo::synth::internal {
namespace {

struct Leaf {
  Point at;
  double angle, length, width;
  Color color;
};

// Pointed at both ends, with a rib and one half in more light than the other.
void PaintLeaf(const Leaf& leaf, Canvas& canvas) {
  const double half = leaf.length / 2, reach = half + 1;
  for (int y = static_cast<int>(leaf.at.y - reach); y <= leaf.at.y + reach; ++y) {
    for (int x = static_cast<int>(leaf.at.x - reach); x <= leaf.at.x + reach; ++x) {
      const Point p = Rotate({x - leaf.at.x, y - leaf.at.y}, -leaf.angle);
      const double along = p.x / half;
      if (std::abs(along) >= 1) continue;
      const double edge = leaf.width / 2 * (1 - along * along) * (1 - 0.3 * along);
      const double share = Clamp01(edge - std::abs(p.y) + 0.5);
      const double side = p.y > 0 ? 0.82 : 1.1;
      const double rib = 1 + 0.25 * (1 - SmoothStep(0.3, 1.1, std::abs(p.y)));
      canvas.Cover(x, y, leaf.color * static_cast<float>(side * rib * (1 - 0.15 * along)), share);
    }
  }
}

struct Blade {
  Point root;
  double height, lean, bend, width;  // lean and bend: to the side, at the tip and half way up
  Color color;
};

// A blade or a stalk, row by row: narrower to its tip, round in the light.
void PaintBlade(const Blade& blade, double taper, Canvas& canvas) {
  const int top = static_cast<int>(blade.root.y - blade.height);
  for (int y = std::max(top, 0); y <= std::min<double>(blade.root.y, canvas.height - 1); ++y) {
    const double t = Clamp01((blade.root.y - y) / blade.height);
    const double x0 = blade.root.x + blade.lean * t + blade.bend * t * (1 - t) * 2;
    const double half = blade.width / 2 * (1 - taper * t * t);
    const double light = 0.65 + 0.45 * t;
    for (int x = static_cast<int>(x0 - half - 1); x <= x0 + half + 1; ++x) {
      const double from = x - x0;
      const double round = 1 - 0.35 * from / std::max(half, 0.5);
      canvas.Cover(x, y, blade.color * static_cast<float>(light * round),
                   Clamp01(half - std::abs(from) + 0.5));
    }
  }
}

void PaintGround(const Color& dark, const Color& light, double size, Rng& rng, Canvas& canvas) {
  const std::uint64_t seed = rng.Next();
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const double n = Fractal(seed, x / size, y / size, 4);
      canvas.At(x, y) = Mix(dark, light, SmoothStep(-0.45, 0.5, n));
    }
  }
}

}  // namespace

void PaintFoliage(const Color& tint, Rng& rng, Canvas& canvas) {
  const double unit = Unit(canvas);
  const Color dark = PickColor({0x16240f, 0x1d2a16, 0x2a2f18}, 0.3, rng) * tint;
  const Color light = PickColor({0x5d8a35, 0x76953f, 0x8a9a45, 0x4f7f48}, 0.2, rng) * tint;
  PaintGround(dark, light * 0.4f, 40 * unit, rng, canvas);
  const std::uint64_t seed = rng.Next();
  const double size = Between(rng, 11, 24) * unit, droop = Between(rng, 0.2, 1.2);
  const double area = canvas.width * static_cast<double>(canvas.height);
  const int count = static_cast<int>(2.6 * area / (size * size * 0.3));
  for (int i = 0; i < count; ++i) {
    const double depth = i / static_cast<double>(count);
    Leaf leaf;
    leaf.at = {Between(rng, -0.05, 1.05) * canvas.width, Between(rng, -0.05, 1.05) * canvas.height};
    const double clump = Fractal(seed, leaf.at.x / (70 * unit), leaf.at.y / (70 * unit), 3) +
                         Between(rng, -0.2, 0.2);
    if (clump < -0.12) continue;  // one looks into the dark there
    leaf.angle = droop + 1.1 * rng.Normal();
    leaf.length = size * Between(rng, 0.7, 1.3);
    leaf.width = leaf.length * Between(rng, 0.28, 0.5);
    const double bright = 0.25 + 0.75 * depth * depth + 0.5 * clump;
    leaf.color = Mix(dark, light, bright) * static_cast<float>(std::exp(0.18 * rng.Normal()));
    PaintLeaf(leaf, canvas);
  }
}

void PaintReeds(const Color& tint, Rng& rng, Canvas& canvas) {
  const double unit = Unit(canvas);
  const Color back = PickColor({0x8d8f62, 0x9aa07a, 0x7f8f93}, 0.25, rng) * tint;
  const Color straw = PickColor({0xc9b078, 0xb8a468, 0xa8a35c}, 0.2, rng) * tint;
  const Color green = PickColor({0x6f7f3c, 0x7d8a4a}, 0.2, rng) * tint;
  const Color head = PickColor({0x5d3d28, 0x6b4a34}, 0.2, rng) * tint;
  PaintGround(back * 0.45f, back, 70 * unit, rng, canvas);
  const int count = static_cast<int>(Between(rng, 0.28, 0.55) * canvas.width / unit);
  const double wind = Between(rng, -25, 25) * unit;
  for (int i = 0; i < count; ++i) {
    const double depth = i / static_cast<double>(count);
    Blade stalk;
    stalk.root = {Between(rng, -0.1, 1.1) * canvas.width, 1.05 * canvas.height};
    stalk.height = canvas.height * Between(rng, 0.6, 1.5);
    stalk.lean = wind + 14 * unit * rng.Normal();
    stalk.bend = 10 * unit * rng.Normal();
    stalk.width = unit * Mix(1.5, 5.5, depth * depth) * Between(rng, 0.7, 1.2);
    stalk.color = Mix(green, straw, rng.Uniform()) *
                  static_cast<float>(Mix(0.45, 1.05, depth) * std::exp(0.15 * rng.Normal()));
    PaintBlade(stalk, 0.6, canvas);
    if (rng.Uniform() < 0.12) {
      const Point tip{stalk.root.x + stalk.lean, stalk.root.y - stalk.height};
      PaintLeaf({tip, -1.5, 26 * unit, 8 * unit, head * static_cast<float>(Mix(0.6, 1, depth))},
                canvas);
    }
  }
}

void PaintGrass(const Color& tint, Rng& rng, Canvas& canvas) {
  const double unit = Unit(canvas);
  const Color dark = PickColor({0x2a3316, 0x33381c, 0x3f3a22}, 0.25, rng) * tint;
  const Color light = PickColor({0x7d9a3c, 0x93a550, 0xb0a860}, 0.2, rng) * tint;
  PaintGround(dark, light * 0.5f, 50 * unit, rng, canvas);
  const std::uint64_t seed = rng.Next();
  const double length = Between(rng, 22, 50) * unit, wind = Between(rng, -0.4, 0.4);
  const int count = static_cast<int>(2.2 * canvas.width / unit);
  for (int i = 0; i < count; ++i) {
    const double depth = i / static_cast<double>(count);
    Blade blade;
    blade.root = {Between(rng, -0.05, 1.05) * canvas.width, Mix(0.02, 1.25, depth) * canvas.height};
    blade.height = length * Mix(0.55, 1.3, depth) * Between(rng, 0.6, 1.3);
    blade.lean = blade.height * (wind + 0.35 * rng.Normal());
    blade.bend = 0.15 * blade.height * rng.Normal();
    blade.width = unit * Mix(1.2, 3.2, depth) * Between(rng, 0.7, 1.3);
    const double n = Fractal(seed, blade.root.x / (60 * unit), blade.root.y / (60 * unit), 2);
    blade.color = Mix(dark, light, Between(rng, 0.45, 1.05) + 0.6 * n);
    PaintBlade(blade, 0.9, canvas);
  }
}

}  // namespace alcedo::synth::internal
