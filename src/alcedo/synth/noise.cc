#include "alcedo/synth/noise.h"

#include <cmath>

namespace alcedo::synth {
namespace {

std::uint64_t Hash(std::uint64_t seed, std::int64_t x, std::int64_t y) {
  std::uint64_t h = seed ^ (static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u) ^
                    (static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4fu);
  h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 32)) * 0x94d049bb133111ebu;
  return h ^ (h >> 29);
}

// The slope at a corner of the grid, one of 16 directions, times the way from there.
double Slope(std::uint64_t seed, std::int64_t x, std::int64_t y, double dx, double dy) {
  static constexpr double kCos[16] = {
      1,  0.923880,  0.707107,  0.382683,  0, -0.382683, -0.707107, -0.923880,
      -1, -0.923880, -0.707107, -0.382683, 0, 0.382683,  0.707107,  0.923880};
  const auto direction = static_cast<std::size_t>(Hash(seed, x, y) & 15);
  return kCos[direction] * dx + kCos[(direction + 12) & 15] * dy;
}

double Fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

}  // namespace

double Noise(std::uint64_t seed, double x, double y) {
  const double left = std::floor(x), top = std::floor(y);
  const auto i = static_cast<std::int64_t>(left), j = static_cast<std::int64_t>(top);
  const double dx = x - left, dy = y - top;
  const double u = Fade(dx), v = Fade(dy);
  const double a = Slope(seed, i, j, dx, dy), b = Slope(seed, i + 1, j, dx - 1, dy);
  const double c = Slope(seed, i, j + 1, dx, dy - 1), d = Slope(seed, i + 1, j + 1, dx - 1, dy - 1);
  const double upper = a + (b - a) * u, lower = c + (d - c) * u;
  return 1.4 * (upper + (lower - upper) * v);
}

double Fractal(std::uint64_t seed, double x, double y, int octaves) {
  double sum = 0, strength = 0.5;
  for (int octave = 0; octave < octaves; ++octave) {
    sum += strength * Noise(seed + static_cast<std::uint64_t>(octave), x, y);
    x = 2 * x + 17.3, y = 2 * y - 9.1, strength /= 2;
  }
  return sum;
}

double Between(Rng& rng, double low, double high) { return low + (high - low) * rng.Uniform(); }

}  // namespace alcedo::synth
