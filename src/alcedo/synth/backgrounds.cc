#include "alcedo/synth/backgrounds.h"

#include <cmath>

#include "alcedo/synth/noise.h"

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
