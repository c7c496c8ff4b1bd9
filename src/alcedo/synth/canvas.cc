#include "alcedo/synth/canvas.h"

#include <algorithm>
#include <cmath>

namespace alcedo::synth {
namespace {

constexpr double kGamma = 2.2;

// One line of `count` pixels that lie `stride` apart, blurred; at the ends the last pixel goes on.
void BlurLine(Color* line, std::size_t stride, int count, const std::vector<float>& kernel,
              std::vector<Color>& copy) {
  const int radius = static_cast<int>(kernel.size()) / 2;
  for (int i = 0; i < count; ++i) copy[static_cast<std::size_t>(i)] = line[i * stride];
  for (int i = 0; i < count; ++i) {
    Color sum;
    for (int k = -radius; k <= radius; ++k) {
      const int from = std::clamp(i + k, 0, count - 1);
      sum =
          sum + copy[static_cast<std::size_t>(from)] * kernel[static_cast<std::size_t>(k + radius)];
    }
    line[i * stride] = sum;
  }
}

float Stored(float light) { return static_cast<float>(255 * std::pow(Clamp01(light), 1 / kGamma)); }

}  // namespace

Color Srgb(unsigned hex) {
  const auto channel = [hex](int shift) {
    return static_cast<float>(std::pow(((hex >> shift) & 255) / 255.0, kGamma));
  };
  return {channel(16), channel(8), channel(0)};
}

double Length(Point p) { return std::sqrt(p.x * p.x + p.y * p.y); }

Point Rotate(Point p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * p.x - s * p.y, s * p.x + c * p.y};
}

double Clamp01(double x) { return std::clamp(x, 0.0, 1.0); }

double SmoothStep(double low, double high, double x) {
  const double t = Clamp01((x - low) / (high - low));
  return t * t * (3 - 2 * t);
}

double Mix(double a, double b, double t) { return a + (b - a) * t; }

Color Mix(const Color& a, const Color& b, double t) {
  return a * static_cast<float>(1 - t) + b * static_cast<float>(t);
}

void Canvas::Cover(int x, int y, const Color& color, double share) {
  if (x < 0 || y < 0 || x >= width || y >= height || share <= 0) return;
  Color& pixel = At(x, y);
  pixel = Mix(pixel, color, std::min(share, 1.0));
}

int BlurRadius(double sigma) { return static_cast<int>(std::ceil(2.5 * sigma)); }

void Blur(Canvas& canvas, double sigma) {
  const int radius = BlurRadius(sigma);
  if (radius < 1) return;
  std::vector<float> kernel;
  double sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    kernel.push_back(static_cast<float>(std::exp(-k * k / (2 * sigma * sigma))));
    sum += kernel.back();
  }
  for (float& weight : kernel) weight = static_cast<float>(weight / sum);
  std::vector<Color> copy(static_cast<std::size_t>(std::max(canvas.width, canvas.height)));
  for (int y = 0; y < canvas.height; ++y) {
    BlurLine(&canvas.At(0, y), 1, canvas.width, kernel, copy);
  }
  for (int x = 0; x < canvas.width; ++x) {
    BlurLine(&canvas.At(x, 0), static_cast<std::size_t>(canvas.width), canvas.height, kernel, copy);
  }
}

Image ToImage(const Canvas& canvas) {
  Image image = MakeImage(canvas.width, canvas.height, 3);
  for (std::size_t i = 0; i < canvas.pixels.size(); ++i) {
    image.Plane(0)[i] = Stored(canvas.pixels[i].r);
    image.Plane(1)[i] = Stored(canvas.pixels[i].g);
    image.Plane(2)[i] = Stored(canvas.pixels[i].b);
  }
  return image;
}

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
