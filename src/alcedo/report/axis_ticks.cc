#include "alcedo/report/axis_ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alcedo/report/report_text.h"

namespace alcedo::report {
namespace {

// "10⁻³"; the whole axis so, or with plain numbers.
std::string PowerOfTen(int exponent, bool plain) {
  if (plain) return fmt::format("{:g}", std::pow(10.0, exponent));
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : fmt::format("{}", exponent)) {
    text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

}  // namespace

std::vector<Tick> LinearTicks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  if (!(rough > 0) || !std::isfinite(rough)) return {{low, Short(low)}};
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= rough * 0.999) {
      step = factor * decade;
      break;
    }
  }
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-9));
  for (std::int64_t i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    std::string label = fmt::format("{:.{}f}", std::abs(value), digits);
    if (i < 0) label = "−" + label;
    ticks.push_back({value, std::abs(value) >= 1e6 ? Short(value) : label});
  }
  return ticks;
}

std::vector<Tick> LogTicks(double low, double high, int count) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  std::vector<Tick> ticks;
  if (last - first < 1) {
    for (int e = first - 1; e <= last; ++e) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10.0, e);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
          ticks.push_back({value, Short(value)});
        }
      }
    }
    return ticks;
  }
  const int every = std::max(1, (last - first + count) / std::max(1, count));
  const bool plain = first >= -2 && last <= 3;
  for (int e = first; e <= last; e += every) {
    ticks.push_back({std::pow(10.0, e), PowerOfTen(e, plain)});
  }
  return ticks;
}

}  // namespace alcedo::report
