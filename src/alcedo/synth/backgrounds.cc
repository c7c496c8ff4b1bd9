#include "alcedo/synth/backgrounds.h"

#include <algorithm>
#include <cmath>

#include "alcedo/synth/canvas.h"

namespace alcedo::synth {
namespace internal {

double Unit(const Canvas& canvas) { return canvas.height / 240.0; }

Color PickColor(std::initializer_list<unsigned> colors, double spread, Rng& rng) {
  const unsigned hex = colors.begin()[rng.UniformIndex(static_cast<Index>(colors.size()))];
  return Srgb(hex) * static_cast<float>(std::exp(Between(rng, -spread, spread)));
}

// A gradient with clouds, and sometimes far trees below.
void PaintSky(const Color& tint, Rng& rng, Canvas& canvas) {
  const double unit = Unit(canvas);
  const Color high = PickColor({0x4f86c6, 0x6f9bd1, 0x8fa9c4, 0xa9b4bf}, 0.2, rng) * tint;
  const Color low = PickColor({0xc9dcec, 0xdfe3e4, 0xe6d9c8}, 0.15, rng) * tint;
  const Color cloud = PickColor({0xf2f2f0, 0xd6d9dd}, 0.1, rng) * tint;
  const Color trees = PickColor({0x2f4230, 0x4a5540, 0x56604c}, 0.3, rng) * tint;
  const std::uint64_t seed = rng.Next();
  const double cover = Between(rng, -0.15, 0.35), width = Between(rng, 60, 140) * unit;
  const double horizon = canvas.height * Between(rng, 0.62, 1.25);
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const double depth = y / static_cast<double>(canvas.height);
      Color color = Mix(high, low, SmoothStep(0, 1.1, depth));
      const double n = Fractal(seed, x / width, 2.2 * y / width, 5);
      color = Mix(color, cloud, 0.9 * SmoothStep(cover, cover + 0.45, n));
      const double edge = horizon + 14 * unit * Fractal(seed + 50, x / (40 * unit), 0.5, 4);
      const double leaf = Fractal(seed + 60, x / (9 * unit), y / (9 * unit), 3);
      color = Mix(color, trees * static_cast<float>(1 + 0.8 * leaf),
                  SmoothStep(-3 * unit, 3 * unit, y - edge + 5 * unit * leaf));
      canvas.At(x, y) = color;
    }
  }
}

// Ripples, wider near the lower border, that mirror a bright and a dark bank.
void PaintWater(const Color& tint, Rng& rng, Canvas& canvas) {
  const double unit = Unit(canvas);
  const Color bright = PickColor({0x9db7c9, 0xb9c6c4, 0x8ea7a0}, 0.2, rng) * tint;
  const Color deep = PickColor({0x2b4a5c, 0x35524a, 0x47573f}, 0.3, rng) * tint;
  const std::uint64_t seed = rng.Next();
  const double size = Between(rng, 0.7, 1.6) * unit, lift = Between(rng, -0.15, 0.2);
  for (int y = 0; y < canvas.height; ++y) {
    const double near = 0.35 + y / static_cast<double>(canvas.height);
    for (int x = 0; x < canvas.width; ++x) {
      const double u = x / (28 * size * near), v = y / (6 * size * near);
      const double sway = 0.8 * Noise(seed, u / 3, v / 3);
      const double n = Fractal(seed + 9, u + sway, v + sway, 4);
      const double bank = Fractal(seed + 20, x / (120 * unit), y / (160 * unit), 2);
      Color color = Mix(deep, bright, SmoothStep(-0.35, 0.4, n + lift + 1.2 * bank));
      // Glints.
      color = color + Color{0.5f, 0.5f, 0.48f} * static_cast<float>(SmoothStep(0.38, 0.6, n));
      canvas.At(x, y) = color;
    }
  }
}

// A trunk near by: ridges along it, cracks between them, patches of lichen.
void PaintBark(const Color& tint, Rng& rng, Canvas& canvas) {
  const double unit = Unit(canvas);
  const Color ridge = PickColor({0x8a7461, 0x97897a, 0x6f6155}, 0.25, rng) * tint;
  const Color crack = PickColor({0x2a211b, 0x332b26}, 0.3, rng) * tint;
  const Color lichen = PickColor({0x9fa88a, 0xb3b59f, 0x8b9a5c}, 0.2, rng) * tint;
  const std::uint64_t seed = rng.Next();
  const double slope = Between(rng, -0.25, 0.25), size = Between(rng, 0.8, 1.5) * unit;
  const double grown = Between(rng, 0.15, 0.55);
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const double along = y + slope * x, across = x - slope * y;
      const double warp = Fractal(seed, across / (40 * size), along / (60 * size), 3);
      const double n = Noise(seed + 7, across / (15 * size) + 1.1 * warp, along / (75 * size));
      const double fine = Fractal(seed + 9, across / (7 * size), along / (22 * size), 4);
      const double height = 1 - 1.9 * std::abs(n) + 0.9 * fine;
      Color color = Mix(ridge, crack, 0.85 * SmoothStep(0.5, 1.25, height));
      color = color * static_cast<float>(1 + 0.9 * fine + 0.35 * warp);
      const double patch = Fractal(seed + 30, x / (45 * unit), y / (45 * unit), 5);
      color = Mix(color, lichen * static_cast<float>(1 + 0.8 * fine),
                  0.7 * SmoothStep(grown, grown + 0.2, patch + 0.3 * fine));
      canvas.At(x, y) = color;
    }
  }
}

}  // namespace internal

void PaintBackground(Background kind, const Color& tint, Rng& rng, Canvas& canvas) {
  switch (kind) {
    case Background::kSky:
      return internal::PaintSky(tint, rng, canvas);
    case Background::kWater:
      return internal::PaintWater(tint, rng, canvas);
    case Background::kBark:
      return internal::PaintBark(tint, rng, canvas);
    case Background::kFoliage:
      return internal::PaintFoliage(tint, rng, canvas);
    case Background::kReeds:
      return internal::PaintReeds(tint, rng, canvas);
    case Background::kGrass:
      return internal::PaintGrass(tint, rng, canvas);
  }
}

}  // namespace alcedo::synth

// Backgrounds that are made of many leaves, stalks and blades, the far ones painted first.

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
