#include "alcedo/figures/color_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alcedo/figures/stroke_font.h"
#include "alcedo/report/svg_plot.h"

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

namespace alcedo::internal {
namespace {

constexpr int kBar = 10;
constexpr double kFont = 10.5;
constexpr double kSpace = 8;  // between numbers

// "5e-06" as "5e-6", and a real minus sign.
std::string NumberText(double value) {
  std::string text = fmt::format("{:.3g}", value);
  for (const std::string_view zeros : {"e-0", "e+0"}) {
    const std::size_t at = text.find(zeros);
    if (at != std::string::npos) text.erase(at + 2, 1);
  }
  const std::size_t plus = text.find("e+");
  if (plus != std::string::npos) text.erase(plus + 1, 1);
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");
  return text;
}

struct Number {
  double value = 0;
  std::string text;
};

}  // namespace

void DrawColorBar(Image& canvas, int x, int y, int width, const ColorScale& scale) {
  const double range = scale.high - scale.low;
  for (int i = 0; i < width; ++i) {
    const double value = scale.low + (i + 0.5) / width * range;
    FillRectangle(canvas, x + i, y, 1, kBar, scale(value));
  }
  const double left = x, right = x + width;
  Stroke(canvas,
         {{{left, y + 0.5}, {right, y + 0.5}}, {{left, y + kBar - 0.5}, {right, y + kBar - 0.5}}},
         1, kSoftInk);

  const auto place = [&](double value) { return x + (value - scale.low) / range * width; };
  // In the order of what matters; one that would touch another is left out.
  std::vector<Number> numbers{{scale.high, NumberText(scale.high)},
                              {scale.low, NumberText(scale.low)}};
  if (scale.diverging) {
    numbers.push_back({0, "0"});
    Stroke(canvas, {{{place(0), y + 0.0}, {place(0), y + kBar + 3.0}}}, 1.4, kInk);
  }
  for (const report::Tick& tick : report::LinearTicks(scale.low, scale.high, 3)) {
    numbers.push_back({tick.value, NumberText(tick.value)});
  }
  std::vector<std::pair<double, double>> taken;
  for (const Number& number : numbers) {
    const double text_width = DrawnWidth(number.text, kFont);
    const double at = place(number.value);
    const double begin = std::clamp(at - text_width / 2, left, std::max(left, right - text_width));
    const bool free = std::ranges::all_of(taken, [&](const auto& other) {
      return begin + text_width + kSpace < other.first || other.second + kSpace < begin;
    });
    if (!free) continue;
    taken.emplace_back(begin, begin + text_width);
    const double mark = std::clamp(at, left + 0.5, right - 0.5);
    Stroke(canvas, {{{mark, y + kBar + 0.0}, {mark, y + kBar + 3.0}}}, 1, kSoftInk);
    DrawText(canvas, begin, y + kBar + 14.5, number.text, {kFont, kInk});
  }
}

}  // namespace alcedo::internal
