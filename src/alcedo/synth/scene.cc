#include "alcedo/synth/scene.h"

#include <algorithm>
#include <cmath>

#include "alcedo/synth/canvas.h"

namespace alcedo::synth {
namespace {

Pose DrawPose(const Canvas& canvas, Rng& rng) {
  Pose pose;
  pose.scale = canvas.height * Between(rng, 0.17, 0.25);
  pose.scale = std::min(pose.scale, canvas.width / (2 * kReachX));
  const double x = kReachX * pose.scale, y = kReachY * pose.scale;
  pose.at = {Between(rng, x, std::max(x, canvas.width - x)),
             Between(rng, y, std::max(y, canvas.height - y))};
  pose.tilt = std::clamp(0.13 * rng.Normal(), -0.3, 0.3);
  pose.mirror = rng.Uniform() < 0.5;
  pose.nod = std::clamp(0.15 * rng.Normal(), -0.3, 0.3);
  pose.looks_back = rng.Uniform() < 0.2;
  pose.girth = Between(rng, 0.9, 1.12);
  return pose;
}

// A branch through the feet, round, with bark, from border to border or with one end in sight.
void PaintPerch(const Pose& pose, const Sun& sun, const Color& tint, Rng& rng, Canvas& canvas) {
  const Point feet = FeetOf(pose);
  const Color bark = internal::PickColor({0x6a5a4a, 0x7d7264, 0x54483c, 0x8a8274}, 0.3, rng) * tint;
  const std::uint64_t seed = rng.Next();
  const double slope = Between(rng, -0.35, 0.35), bow = Between(rng, -0.0012, 0.0012);
  const double width = pose.scale * Between(rng, 0.1, 0.22), unit = internal::Unit(canvas);
  const double end = feet.x + Between(rng, 0.6, 4) * pose.scale * (rng.Uniform() < 0.5 ? -1 : 1);
  for (int x = 0; x < canvas.width; ++x) {
    const double from = x - feet.x;
    if ((end - feet.x) * from > 0 && std::abs(from) > std::abs(end - feet.x)) continue;
    const double knot = 1 + 0.35 * Noise(seed, x / (18 * unit), 0.5);
    const double half = width / 2 * knot * (1 - 0.12 * from / canvas.width);
    const double middle = feet.y + half + slope * from + bow * from * from / unit;
    for (int y = static_cast<int>(middle - half - 2); y <= middle + half + 2; ++y) {
      const double across = (y - middle) / half;
      const double light =
          0.5 + 0.6 * std::max(0.0, sun.near * (1 - across * across) - sun.up * across);
      const double grain = Fractal(seed + 3, from / (14 * unit), y / (3.5 * unit), 4);
      // The bird's shadow on what it sits on.
      const double shadow = 1 - 0.45 * std::exp(-from * from / (0.09 * pose.scale * pose.scale));
      canvas.Cover(x, y, bark * static_cast<float>(light * shadow * (1 + 0.9 * grain)),
                   Clamp01(half - std::abs(y - middle) + 0.5));
    }
  }
}

// The light of the hour, shadows of leaves that nobody sees, a darker border.
void PaintLight(bool in_the_open, Rng& rng, Canvas& canvas) {
  const double unit = internal::Unit(canvas);
  const double exposure = std::exp(Between(rng, -0.35, 0.35)), warmth = Between(rng, -0.12, 0.12);
  const Color light{static_cast<float>(exposure * std::exp(warmth)), static_cast<float>(exposure),
                    static_cast<float>(exposure * std::exp(-warmth))};
  const double leaves = std::max(0.0, Between(rng, -0.3, 0.45)), border = Between(rng, 0, 0.3);
  const double dapples = in_the_open ? 0 : leaves;
  const std::uint64_t seed = rng.Next();
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const double n = Fractal(seed, x / (55 * unit), y / (55 * unit), 3);
      const double dx = 2.0 * x / canvas.width - 1, dy = 2.0 * y / canvas.height - 1;
      const double factor =
          (1 - dapples * SmoothStep(-0.2, 0.3, n)) * (1 - border * (dx * dx + dy * dy) / 2);
      canvas.At(x, y) = canvas.At(x, y) * light * static_cast<float>(factor);
    }
  }
}

// The noise of a sensor: of the light's grains, and of its own.
void AddSensorNoise(Rng& rng, Canvas& canvas) {
  const double grains = Between(rng, 0.0002, 0.0012), dark = Between(rng, 0.001, 0.004);
  const auto noisy = [&](float value) {
    const double light = std::max(value, 0.0f);
    return static_cast<float>(light + std::sqrt(grains * light + dark * dark) * rng.Normal());
  };
  for (Color& pixel : canvas.pixels) {
    pixel.r = noisy(pixel.r);
    pixel.g = noisy(pixel.g);
    pixel.b = noisy(pixel.b);
  }
}

Box Grown(const Box& box, int by, const Canvas& canvas) {
  const int left = std::max(box.x - by, 0), top = std::max(box.y - by, 0);
  const int right = std::min(box.x + box.width + by, canvas.width);
  const int bottom = std::min(box.y + box.height + by, canvas.height);
  return {left, top, right - left, bottom - top};
}

}  // namespace

Style DrawStyle(std::uint64_t seed) {
  Rng rng = Rng::ForItem(seed, 1);
  Style style;
  const auto channel = [&rng] { return static_cast<float>(std::exp(Between(rng, -0.12, 0.12))); };
  style.tint.r = channel();
  style.tint.g = channel();
  style.tint.b = channel();
  // Four kinds of backgrounds of six.
  for (int kind = 0, left = 4; kind < kBackgrounds; ++kind) {
    if (rng.UniformIndex(kBackgrounds - kind) >= left) continue;
    style.backgrounds.push_back(static_cast<Background>(kind));
    --left;
  }
  for (int i = 0; i < 3; ++i) style.plumages.push_back(DrawPlumage(rng));
  return style;
}

Painting PaintScene(const Style& style, const Mark& mark, std::uint64_t seed, int width,
                    int height) {
  Rng rng(seed);
  const auto pick = [&rng](const auto& list) -> const auto& {
    return list[static_cast<std::size_t>(rng.UniformIndex(static_cast<Index>(list.size())))];
  };
  Canvas canvas(width, height);
  const Background background = pick(style.backgrounds);
  PaintBackground(background, style.tint, rng, canvas);
  // The camera is focused on the bird.
  Blur(canvas, Between(rng, 1.2, 4.5) * internal::Unit(canvas));
  const Pose pose = DrawPose(canvas, rng);
  const double side = Between(rng, -0.6, 0.6), rise = Between(rng, 0.6, 1.2);
  const double length = std::sqrt(side * side + rise * rise + 0.5);
  const Sun sun{side / length, rise / length, std::sqrt(0.5) / length};
  PaintPerch(pose, sun, style.tint, rng, canvas);
  const Plumage& plumage = pick(style.plumages);
  BirdBoxes boxes = PaintBird(pose, plumage, mark, sun, rng.Next(), canvas);
  PaintLight(background == Background::kSky || background == Background::kWater, rng, canvas);
  const double softness = Between(rng, 0.35, 0.75) * internal::Unit(canvas);
  Blur(canvas, softness);
  AddSensorNoise(rng, canvas);
  return {ToImage(canvas), boxes.bird, Grown(boxes.mark, BlurRadius(softness), canvas)};
}

}  // namespace alcedo::synth
