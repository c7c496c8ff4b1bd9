#include "alcedo/figures/color_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alcedo/figures/stroke_font.h"
#include "alcedo/report/axis_ticks.h"

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
