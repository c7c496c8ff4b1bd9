#include "alcedo/synth/bird.h"

#include <algorithm>
#include <cmath>

#include "alcedo/synth/backgrounds.h"
#include "alcedo/synth/canvas.h"

namespace alcedo::synth {
namespace {

constexpr Point kNeck{0.2, -0.1}, kHead{0.4, -0.31}, kWing{-0.08, -0.03}, kFeet{0.03, 0.47};
constexpr double kHeadRadius = 0.19, kBodyAngle = -0.38, kWingAngle = -0.3, kTailAngle = -0.33;

// A pixel in the coordinates of all parts.
struct Place : BirdPoint {
  Point whole;
};

Place PlaceOf(const Pose& pose, double x, double y) {
  Place p;
  p.whole = Rotate({x - pose.at.x, y - pose.at.y}, -pose.tilt) * (1 / pose.scale);
  if (pose.mirror) p.whole.x = -p.whole.x;
  p.body = Rotate(p.whole, -kBodyAngle);
  p.body.y /= pose.girth;
  const Point head = kNeck + Rotate(kHead - kNeck, pose.nod);
  p.head = Rotate(p.whole - head, -1.5 * pose.nod);
  if (pose.looks_back) p.head.x = -p.head.x;
  p.wing = Rotate(p.whole - kWing, -kWingAngle);
  p.wing.x = -p.wing.x;
  return p;
}

double EllipseDistance(Point p, double rx, double ry) {
  const double k = Length({p.x / rx, p.y / ry});
  const double slope = Length({p.x / (rx * rx), p.y / (ry * ry)});
  return slope > 0 ? k * (k - 1) / slope : -std::min(rx, ry);
}

// Two shapes as one, with a soft transition `k` wide: a neck grows between head and body.
double SmoothMin(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - h * h * k / 4;
}

double BodyDistance(const Place& p) {
  return SmoothMin(EllipseDistance(p.body, 0.5, 0.27), Length(p.head) - kHeadRadius, 0.22);
}

// Narrow at the shoulder's end and pointed at the tip.
double WingDistance(const Place& p) {
  return EllipseDistance({p.wing.x - 0.02, p.wing.y + 0.12 * p.wing.x * p.wing.x}, 0.42,
                         0.17 - 0.1 * std::clamp(p.wing.x, -0.2, 0.45));
}

double TailDistance(const Place& p) {
  const Point t = Rotate(p.whole - Point{-0.62, 0.17}, -kTailAngle);
  return std::max(std::abs(t.x) - 0.34, std::abs(t.y) - (0.075 - 0.06 * t.x));
}

double BeakDistance(const Place& p, double length) {
  const double along = (p.head.x - 0.14) / length;
  return std::max(std::abs(p.head.y - 0.015 - 0.03 * along * along) - 0.062 * (1 - along),
                  -along * length);
}

double LegsDistance(const Place& p) {
  const auto leg = [&p](double x) {
    const double y = p.whole.y;
    const double middle = x + 0.1 * (y - 0.2);
    return std::max(std::abs(p.whole.x - middle) - 0.02, std::max(0.1 - y, y - kFeet.y));
  };
  return std::min(leg(-0.05), leg(0.06));
}

// How light the side that a point shows is.
double Shade(const Place& p, const Pose& pose, const Sun& sun) {
  // The normal of the round body, and of the head where that is nearer.
  const double body = EllipseDistance(p.body, 0.5, 0.27), head = Length(p.head) - kHeadRadius;
  Point b = Rotate({p.body.x / 0.5, p.body.y / 0.27}, kBodyAngle);
  Point h = (p.whole - (kNeck + Rotate(kHead - kNeck, pose.nod))) * (1 / kHeadRadius);
  Point n = b + (h - b) * SmoothStep(-0.06, 0.06, body - head);
  if (pose.mirror) n.x = -n.x;
  n = Rotate(n, pose.tilt);
  const double flat = std::min(Length(n), 0.98);
  if (Length(n) > 0) n = n * (flat / Length(n));
  const double z = std::sqrt(1 - flat * flat);
  const double facing = n.x * sun.x - n.y * sun.up + z * sun.near;
  return 0.38 + 0.75 * std::max(facing, 0.0);
}

// Feathers: fine streaks along the body, and on the wing quills with dark edges.
Color FeatherColor(const Place& p, const Plumage& plumage, double wing_share, std::uint64_t seed) {
  const double streak = Fractal(seed, 9 * p.body.x, 42 * p.body.y, 3);
  const double down = p.body.y / 0.27 + 0.5 * Fractal(seed + 5, 5 * p.body.x, 5 * p.body.y, 2);
  Color color = Mix(plumage.back, plumage.belly, SmoothStep(-0.1, 0.75, down));
  if (Length(p.head) < 0.3) {
    const double low = SmoothStep(0.0, 0.16, p.head.y + 0.25 * p.head.x);
    color = Mix(color, Mix(plumage.back, plumage.belly, low), SmoothStep(0.3, 0.2, Length(p.head)));
  }
  color = color * static_cast<float>(1 + 1.2 * plumage.streaks * streak);
  const double quill = std::sin(62 * (p.wing.y + 0.25 * p.wing.x) + 2 * streak);
  const double rows = SmoothStep(0.02, 0.2, p.wing.x);
  const double lines = 1 - plumage.streaks * rows * SmoothStep(0.35, 1, quill);
  const Color wing = plumage.wing * static_cast<float>(lines * (1 + plumage.streaks * streak));
  return Mix(color, wing, wing_share);
}

class BoxOf {
 public:
  void Add(int x, int y) {
    left_ = std::min(left_, x), right_ = std::max(right_, x);
    top_ = std::min(top_, y), bottom_ = std::max(bottom_, y);
  }
  Box box() const {
    if (right_ < left_) return {};
    return {left_, top_, right_ - left_ + 1, bottom_ - top_ + 1};
  }

 private:
  int left_ = 1 << 30, right_ = -1, top_ = 1 << 30, bottom_ = -1;
};

}  // namespace

Plumage DrawPlumage(Rng& rng) {
  using internal::PickColor;
  Plumage plumage;
  plumage.back = PickColor({0x6b5a45, 0x7a6c58, 0x55544f, 0x6f7358, 0x4c5a66, 0x806048}, 0.2, rng);
  plumage.belly = PickColor({0xcdbfa6, 0xb9b3a4, 0xd8cdb8, 0xa89a80, 0xc9b48c}, 0.15, rng);
  plumage.wing = PickColor({0x4a3e32, 0x3c3a38, 0x4f4a3a, 0x39424c}, 0.2, rng);
  plumage.beak = PickColor({0x2c2824, 0x5a4a38, 0x8a7440}, 0.1, rng);
  plumage.beak_length = Between(rng, 0.13, 0.28);
  plumage.streaks = Between(rng, 0.2, 0.5);
  return plumage;
}

Point FeetOf(const Pose& pose) {
  const Point feet{pose.mirror ? -kFeet.x : kFeet.x, kFeet.y};
  return pose.at + Rotate(feet * pose.scale, pose.tilt);
}

BirdBoxes PaintBird(const Pose& pose, const Plumage& plumage, const Mark& mark, const Sun& sun,
                    std::uint64_t seed, Canvas& canvas) {
  BoxOf bird_box, mark_box;
  const auto share_of = [&pose](double distance) { return Clamp01(0.5 - distance * pose.scale); };
  const int top = static_cast<int>(pose.at.y - pose.scale * 1.2);
  const int left = static_cast<int>(pose.at.x - pose.scale * 1.2);
  const int size = static_cast<int>(2.4 * pose.scale);
  for (int y = std::max(top, 0); y < std::min(top + size, canvas.height); ++y) {
    for (int x = std::max(left, 0); x < std::min(left + size, canvas.width); ++x) {
      const Place p = PlaceOf(pose, x, y);
      const auto shade = static_cast<float>(Shade(p, pose, sun));
      double seen = 0;  // the share of this pixel that shows the bird
      const auto cover = [&](const Color& color, double share) {
        canvas.Cover(x, y, color, share);
        seen = std::max(seen, share);
      };
      cover(plumage.beak * 0.8f, share_of(LegsDistance(p)));
      const double quill = std::sin(95 * Rotate(p.whole, -kTailAngle).y);
      cover(plumage.wing * static_cast<float>(0.75 * shade * (1 + 0.2 * quill)),
            share_of(TailDistance(p)));
      cover(plumage.beak * static_cast<float>(p.head.y < 0.015 ? 1.25 : 0.75),
            share_of(BeakDistance(p, plumage.beak_length)));
      const double body = share_of(BodyDistance(p)), wing = share_of(WingDistance(p));
      Color color = FeatherColor(p, plumage, wing, seed);
      // A rim of shadow below the wing lifts it from the body.
      const double rim = SmoothStep(0.05, 0.0, WingDistance(p)) * (1 - wing);
      color = color * static_cast<float>(1 - 0.4 * rim * SmoothStep(-0.05, 0.1, p.wing.y));
      const MarkCover mark_cover = CoverOf(mark, p, pose.scale);
      const double all = std::max(body, wing);
      if (mark_cover.share > 0 && all > 0) {
        mark_box.Add(x, y);
        color = Mix(color, mark_cover.color, mark_cover.share);
      }
      cover(color * shade, all);
      const double eye = Length(p.head - kEye);
      cover(Color{0.006f, 0.005f, 0.004f}, share_of(eye - 0.036));
      cover(Color{0.8f, 0.8f, 0.8f},
            0.8 * share_of(Length(p.head - kEye - Point{0.012, -0.014}) - 0.006));
      if (seen >= 0.5) bird_box.Add(x, y);
    }
  }
  return {bird_box.box(), mark_box.box()};
}

}  // namespace alcedo::synth
