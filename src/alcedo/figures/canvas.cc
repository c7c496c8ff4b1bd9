#include "alcedo/figures/canvas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alcedo::internal {
namespace {

// Whole pixels around a set of points.
struct Bounds {
  int left, top, right, bottom;
};

Bounds BoundsOf(const std::vector<Polyline>& lines, double margin, const Image& canvas) {
  double left = std::numeric_limits<double>::infinity(), top = left;
  double right = -left, bottom = -left;
  for (const Polyline& line : lines) {
    for (const Point& p : line) {
      left = std::min(left, p.x);
      right = std::max(right, p.x);
      top = std::min(top, p.y);
      bottom = std::max(bottom, p.y);
    }
  }
  const auto whole = [](double value, int size) {
    return static_cast<int>(std::clamp(std::floor(value), 0.0, static_cast<double>(size)));
  };
  return {whole(left - margin, canvas.width), whole(top - margin, canvas.height),
          whole(right + margin + 1, canvas.width), whole(bottom + margin + 1, canvas.height)};
}

void Blend(Image& canvas, int x, int y, const Rgb& color, double opacity) {
  const Index at = static_cast<Index>(y) * canvas.width + x;
  for (int c = 0; c < 3; ++c) {
    float& sample = canvas.Plane(c)[at];
    sample = static_cast<float>(sample + opacity * (255 * color[c] - sample));
  }
}

double DistanceToSegment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double squared = dx * dx + dy * dy;
  const double along = squared > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

double DistanceToLines(const Point& p, const std::vector<Polyline>& lines) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Polyline& line : lines) {
    if (line.size() == 1) nearest = std::min(nearest, DistanceToSegment(p, line[0], line[0]));
    for (std::size_t i = 1; i < line.size(); ++i) {
      nearest = std::min(nearest, DistanceToSegment(p, line[i - 1], line[i]));
    }
  }
  return nearest;
}

// Even-odd rule.
bool Inside(const Point& p, const Polyline& corners) {
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Point &a = corners[i], &b = corners[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)) {
      inside = !inside;
    }
  }
  return inside;
}

}  // namespace

Image MakeCanvas(int width, int height, const Rgb& color) {
  Image canvas = MakeImage(width, height, 3);
  FillRectangle(canvas, 0, 0, width, height, color);
  return canvas;
}

void FillRectangle(Image& canvas, int x, int y, int width, int height, const Rgb& color) {
  const int left = std::max(0, x), right = std::min(canvas.width, x + width);
  const int top = std::max(0, y), bottom = std::min(canvas.height, y + height);
  for (int j = top; j < bottom; ++j) {
    for (int i = left; i < right; ++i) Blend(canvas, i, j, color, 1);
  }
}

void Paste(Image& canvas, const Image& image, int x, int y) {
  for (int j = std::max(0, -y); j < image.height && y + j < canvas.height; ++j) {
    for (int i = std::max(0, -x); i < image.width && x + i < canvas.width; ++i) {
      for (int c = 0; c < 3; ++c) {
        canvas.Plane(c)[static_cast<Index>(y + j) * canvas.width + x + i] =
            image.Plane(image.channels == 3 ? c : 0)[static_cast<Index>(j) * image.width + i];
      }
    }
  }
}

void Stroke(Image& canvas, const std::vector<Polyline>& lines, double width, const Rgb& color) {
  // Full inside of the line, nothing half a pixel outside of it; in between by the distance.
  const double reach = width / 2 + 0.5;
  const Bounds bounds = BoundsOf(lines, reach, canvas);
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    for (int x = bounds.left; x < bounds.right; ++x) {
      const double cover = reach - DistanceToLines({x + 0.5, y + 0.5}, lines);
      // A line that is thinner than a pixel is paler.
      if (cover > 0) Blend(canvas, x, y, color, std::min({1.0, cover, width}));
    }
  }
}

std::vector<Polyline> Dashes(const Polyline& line, double on, double off) {
  std::vector<Polyline> dashes;
  double left = on;  // of the dash or gap under way
  bool drawing = true;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point &a = line[i - 1], &b = line[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    double at = 0;
    while (at < length) {
      const double step = std::min(left, length - at);
      const auto point = [&](double d) {
        return Point{a.x + d / length * (b.x - a.x), a.y + d / length * (b.y - a.y)};
      };
      if (drawing) dashes.push_back({point(at), point(at + step)});
      at += step;
      left -= step;
      if (left <= 1e-9) {
        drawing = !drawing;
        left = drawing ? on : off;
      }
    }
  }
  return dashes;
}

void FillPolygon(Image& canvas, const Polyline& corners, const Rgb& color) {
  if (corners.size() < 3) return;
  constexpr int kSamples = 8;  // across and down
  const Bounds bounds = BoundsOf({corners}, 0, canvas);
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    for (int x = bounds.left; x < bounds.right; ++x) {
      int hits = 0;
      for (int s = 0; s < kSamples * kSamples; ++s) {
        const double dx = (s % kSamples + 0.5) / kSamples, dy = (s / kSamples + 0.5) / kSamples;
        hits += Inside({x + dx, y + dy}, corners) ? 1 : 0;
      }
      if (hits > 0) Blend(canvas, x, y, color, static_cast<double>(hits) / (kSamples * kSamples));
    }
  }
}

}  // namespace alcedo::internal
