#include "alcedo/synth/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo::synth {
namespace {

constexpr std::array<std::string_view, 8> kPlaceNames = {
    "wing-bar", "eye-ring", "throat", "crown", "cheek", "rump", "breast", "shoulder"};
constexpr std::array<std::string_view, 3> kPatternNames = {"", "barred-", "spotted-"};

struct NamedColor {
  std::string_view name;
  unsigned color, second;  // the second one is that of bars and spots
};
constexpr std::array<NamedColor, 8> kColors = {{{"red", 0xd42418, 0xf4f0e0},
                                                {"yellow", 0xf4cc14, 0x181410},
                                                {"blue", 0x1c58d8, 0xf0f4f8},
                                                {"white", 0xfafaf6, 0x141414},
                                                {"orange", 0xf47c10, 0x201008},
                                                {"turquoise", 0x10c0b4, 0x101820},
                                                {"violet", 0x9c2cb0, 0xf4ecf4},
                                                {"pink", 0xf48cb4, 0x301018}}};

// At size 1 a mark is 10 to 25 pixels wide in an image of 320 x 240: half a hundredth of it.
constexpr double kSize = 1.3;

// Below 0 inside, in lengths of the body; near the edge about the distance to it.
double Ellipse(Point p, Point center, Point radii) {
  const Point q = p - center;
  const double k = Length({q.x / radii.x, q.y / radii.y});
  const double slope = Length({q.x / (radii.x * radii.x), q.y / (radii.y * radii.y)});
  return slope > 0 ? k * (k - 1) / slope : -std::min(radii.x, radii.y);
}

double Bar(Point p, double x, double half_width, double half_height) {
  return std::max(std::abs(p.x - x + 0.4 * p.y) - half_width, std::abs(p.y) - half_height);
}

double Distance(const Mark& mark, const BirdPoint& p) {
  const double s = kSize * mark.size;
  switch (mark.place) {
    case MarkPlace::kWingBar:
      return std::min(Bar(p.wing, -0.06, 0.032 * s, 0.115 * s),
                      Bar(p.wing, 0.07, 0.032 * s, 0.1 * s));
    case MarkPlace::kEyeRing:
      return std::abs(Length(p.head - kEye) - 0.068 * s) - 0.028 * s;
    case MarkPlace::kThroat:
      return Ellipse(p.head, {0.08, 0.13}, {0.1 * s, 0.065 * s});
    case MarkPlace::kCrown: {
      // Along the top of the head, from above the eye backwards.
      const double ring = std::abs(Length(p.head) - 0.15) - 0.038 * s;
      const double angle = std::abs(std::atan2(p.head.x + 0.03, -p.head.y));
      return std::max(ring, 0.15 * (angle - 0.85 * s));
    }
    case MarkPlace::kCheek:
      return Ellipse(p.head, {-0.06, 0.05}, {0.085 * s, 0.06 * s});
    case MarkPlace::kRump:
      return Ellipse(p.body, {-0.37, 0.03}, {0.09 * s, 0.07 * s});
    case MarkPlace::kBreast:
      return Ellipse(p.body, {0.29, 0.07}, {0.075 * s, 0.085 * s});
    case MarkPlace::kShoulder:
      return Ellipse(p.wing, {-0.24, 0}, {0.095 * s, 0.065 * s});
  }
  return 1;
}

const Point& Within(const Mark& mark, const BirdPoint& p) {
  switch (mark.place) {
    case MarkPlace::kWingBar:
    case MarkPlace::kShoulder:
      return p.wing;
    case MarkPlace::kRump:
    case MarkPlace::kBreast:
      return p.body;
    default:
      return p.head;
  }
}

// Above 0 where the pattern has its second colour.
double Pattern(MarkPattern pattern, Point p, double size) {
  const double wave = 2 * M_PI / (0.075 * kSize * size);
  if (pattern == MarkPattern::kBarred) return std::sin(wave * (p.x + 0.4 * p.y));
  return 2 * std::sin(wave * p.x) * std::sin(wave * p.y) - 0.3;
}

// 0 to n - 1 in an order by chance.
std::vector<int> Shuffled(int n, Rng& rng) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(rng.UniformIndex(i + 1))]);
  }
  return order;
}

}  // namespace

std::string MarkName(const Mark& mark) {
  return fmt::format("{}-{}{}", kColors[static_cast<std::size_t>(mark.color)].name,
                     kPatternNames[static_cast<std::size_t>(mark.pattern)],
                     kPlaceNames[static_cast<std::size_t>(mark.place)]);
}

std::vector<Mark> DrawMarks(std::uint64_t seed, int count, double size) {
  Require(count >= 2 && count <= kMaxMarks, "classes", fmt::format("from 2 to {}", kMaxMarks),
          count);
  Rng rng(seed);
  std::vector<Mark> marks;
  std::set<std::string> names;
  std::vector<int> colors, places;
  while (static_cast<int>(marks.size()) < count) {
    if (colors.empty()) colors = Shuffled(static_cast<int>(kColors.size()), rng);
    if (places.empty()) places = Shuffled(static_cast<int>(kPlaceNames.size()), rng);
    Mark mark;
    mark.color = colors.back();
    mark.place = static_cast<MarkPlace>(places.back());
    mark.pattern = static_cast<MarkPattern>(rng.UniformIndex(3));
    mark.size = size;
    colors.pop_back();
    places.pop_back();
    if (names.insert(MarkName(mark)).second) marks.push_back(mark);
  }
  return marks;
}

MarkCover CoverOf(const Mark& mark, const BirdPoint& point, double pixels) {
  MarkCover cover;
  cover.share = Clamp01(0.5 - Distance(mark, point) * pixels);
  if (cover.share <= 0) return cover;
  const NamedColor& named = kColors[static_cast<std::size_t>(mark.color)];
  cover.color = Srgb(named.color);
  if (mark.pattern != MarkPattern::kPlain) {
    const double second = Pattern(mark.pattern, Within(mark, point), mark.size);
    cover.color = Mix(cover.color, Srgb(named.second), SmoothStep(-0.25, 0.25, second));
  }
  return cover;
}

}  // namespace alcedo::synth
