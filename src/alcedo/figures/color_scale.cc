#include "alcedo/figures/color_scale.h"

#include <algorithm>
#include <cmath>

namespace alcedo {
namespace {

using Lab = std::array<double, 3>;

double Linear(double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); }

double Gamma(double l) { return l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055; }

Lab ToOklab(const Rgb& color) {
  const double r = Linear(color[0]), g = Linear(color[1]), b = Linear(color[2]);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb FromOklab(const Lab& lab) {
  const double l = std::pow(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2], 3);
  const double m = std::pow(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2], 3);
  const double s = std::pow(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2], 3);
  const Rgb linear{4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                   -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                   -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
  Rgb color;
  for (int c = 0; c < 3; ++c) color[c] = std::clamp(Gamma(std::max(0.0, linear[c])), 0.0, 1.0);
  return color;
}

Lab Between(const Lab& a, const Lab& b, double t) {
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

double Distance(const Lab& a, const Lab& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

constexpr std::array<int, 10> kViridis = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                          0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};

struct Way {
  std::array<Lab, kViridis.size()> points;
  std::array<double, kViridis.size()> lengths;  // from the beginning to each
};

Way MakeWay() {
  Way way{};
  for (std::size_t i = 0; i < kViridis.size(); ++i) {
    const int hex = kViridis[i];
    way.points[i] =
        ToOklab({(hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0});
    if (i > 0) way.lengths[i] = way.lengths[i - 1] + Distance(way.points[i - 1], way.points[i]);
  }
  return way;
}

// Lightness, chroma, hue in degrees.
Lab Polar(double lightness, double chroma, double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  return {lightness, chroma * std::cos(angle), chroma * std::sin(angle)};
}

double Within(double t, double low, double high) {
  return std::isnan(t) ? 0 : std::clamp(t, low, high);
}

}  // namespace

Rgb SequentialColor(double t) {
  static const Way way = MakeWay();
  const double length = Within(t, 0, 1) * way.lengths.back();
  std::size_t i = 1;
  while (i + 1 < way.points.size() && way.lengths[i] < length) ++i;
  const double share = (length - way.lengths[i - 1]) / (way.lengths[i] - way.lengths[i - 1]);
  return FromOklab(Between(way.points[i - 1], way.points[i], share));
}

Rgb DivergingColor(double t) {
  const double place = Within(t, -1, 1);
  const Lab end = place < 0 ? Polar(0.45, 0.165, 260) : Polar(0.45, 0.165, 27);
  return FromOklab(Between(Polar(0.97, 0, 0), end, std::abs(place)));
}

Rgb ColorScale::operator()(double value) const {
  return diverging ? DivergingColor(value / high) : SequentialColor((value - low) / (high - low));
}

ColorScale ScaleFor(std::span<const float> values) {
  double low = 0, high = 0;
  for (const float value : values) {
    low = std::min(low, static_cast<double>(value));
    high = std::max(high, static_cast<double>(value));
  }
  const double largest = std::max(high, -low);
  if (largest == 0) return {};
  if (-low > largest / 256) return {true, -largest, largest};
  return {false, 0, high};
}

}  // namespace alcedo
