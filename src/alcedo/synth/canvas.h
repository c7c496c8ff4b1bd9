// What images are painted on: colours in linear light, so that mixing and blurring are those of
// light.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/image/image.h"

namespace alcedo::synth {

struct Color {
  float r = 0, g = 0, b = 0;
};
inline Color operator*(const Color& a, float s) { return {a.r * s, a.g * s, a.b * s}; }
inline Color operator*(const Color& a, const Color& b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
inline Color operator+(const Color& a, const Color& b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }

// A colour as it is written for screens, 0xRRGGBB.
Color Srgb(unsigned hex);

struct Point {
  double x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, double s) { return {a.x * s, a.y * s}; }
double Length(Point p);
Point Rotate(Point p, double angle);

double Clamp01(double x);
// 0 up to `low`, 1 from `high` on, smooth between.
double SmoothStep(double low, double high, double x);
double Mix(double a, double b, double t);
Color Mix(const Color& a, const Color& b, double t);

struct Canvas {
  Canvas(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w) * h) {}

  int width, height;
  std::vector<Color> pixels;

  Color& At(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  const Color& At(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
  // Covers a share of a pixel with a colour; nothing outside of the canvas.
  void Cover(int x, int y, const Color& color, double share);
};

// A Gaussian that ends at BlurRadius(sigma), so that it is known how far a pixel reaches.
int BlurRadius(double sigma);
void Blur(Canvas& canvas, double sigma);

// Samples as a camera stores them, 0 to 255.
Image ToImage(const Canvas& canvas);

// Gradient noise, what textures are made of: a field of smooth noise over the plane, one for each
// seed: features are about one unit wide, values in (-1, 1) with mean 0.
double Noise(std::uint64_t seed, double x, double y);

// Noise of several sizes added up, each half as wide and half as strong as the one before it.
double Fractal(std::uint64_t seed, double x, double y, int octaves);

// Uniform in [low, high).
double Between(Rng& rng, double low, double high);

}  // namespace alcedo::synth
