#include "alcedo/figures/figure1.h"

#include <fmt/format.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/figures/canvas.h"
#include "alcedo/figures/stroke_font.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/report/svg_document.h"

namespace alcedo {
namespace {

using internal::Point;
using report::Coordinate;

// Even steps and no random numbers: whoever builds these patches gets the same figure.
double SkyDegrees(Index n, int sky) {
  return sky == 1 ? 90 : 89.5 + static_cast<double>(n) / (sky - 1);
}

void SetDirection(Rows& rows, Index row, double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  rows(row, 0) = static_cast<float>(std::cos(angle));
  rows(row, 1) = static_cast<float>(std::sin(angle));
}

Rows MakePatches(int sky, double rare_degrees) {
  Rows rows(sky + 1, 2);
  for (Index n = 0; n < sky; ++n) SetDirection(rows, n, SkyDegrees(n, sky));
  SetDirection(rows, sky, rare_degrees);
  return rows;
}

Vector Unit(Vector v) {
  L2Normalize(v);
  return v;
}

// One drawing on two surfaces: an SVG document and a canvas.

constexpr double kWidth = 860, kHeight = 368;
constexpr double kPlotWidth = 352;
constexpr double kUnit = kPlotWidth / 2.2;  // pixels of length 1
constexpr double kPlotHeight = 1.2 * kUnit;
constexpr double kTop = 66;
constexpr double kLegendTop = kTop + kPlotHeight + 74;

// Okabe and Ito's, as the series of the SVG's style sheet.
enum Series { kBlue = 0, kRed = 1, kGreen = 2 };
constexpr Rgb kSeriesColors[] = {{0, 0x72 / 255.0, 0xb2 / 255.0},
                                 {0xd5 / 255.0, 0x5e / 255.0, 0},
                                 {0, 0x9e / 255.0, 0x73 / 255.0}};

struct Pen {
  Series series = kRed;
  double width = 2;
  bool dashed = false;
  double offset = 0;  // where the dashes begin, so that two on one line are both seen
};
constexpr double kDash = 8;

enum class Place { kStart, kMiddle, kEnd };

// The shaft ends inside of the head.
struct ArrowShape {
  Point end;
  internal::Polyline head;
};

ArrowShape ShapeOf(const Point& from, const Point& to, double width) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const double dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
  const double long_side = 7 + 2.2 * width, half = 3 + 1.1 * width;
  const Point base{to.x - long_side * dx, to.y - long_side * dy};
  return {{to.x - 0.8 * long_side * dx, to.y - 0.8 * long_side * dy},
          {to, {base.x - half * dy, base.y + half * dx}, {base.x + half * dy, base.y - half * dx}}};
}

class SvgSurface {
 public:
  SvgSurface(std::string title, std::string description)
      : document_(std::move(title), std::move(description), kWidth) {}

  void Text(double x, double y, std::string_view text, Place place, bool bold) {
    const report::Anchor anchor = place == Place::kStart    ? report::Anchor::kStart
                                  : place == Place::kMiddle ? report::Anchor::kMiddle
                                                            : report::Anchor::kEnd;
    document_.Text(x, y, text, anchor, bold ? "title" : "");
  }
  void Rule(const Point& a, const Point& b, bool faint) {
    document_.Line(a.x, a.y, b.x, b.y, faint ? "grid" : "axis");
  }
  void Arrow(const Point& from, const Point& to, const Pen& pen) {
    const ArrowShape shape = ShapeOf(from, to, pen.width);
    const std::string css = report::SeriesClass(pen.series);
    std::string style = fmt::format("stroke-width:{}", Coordinate(pen.width));
    if (pen.dashed) {
      style += fmt::format(";stroke-dasharray:{0} {0};stroke-dashoffset:{1}", Coordinate(kDash),
                           Coordinate(pen.offset));
    }
    document_.Raw(fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"line {}\" style=\"{}\"/>\n",
        Coordinate(from.x), Coordinate(from.y), Coordinate(shape.end.x), Coordinate(shape.end.y),
        css, style));
    std::string points;
    for (const Point& p : shape.head) {
      points += fmt::format("{}{},{}", points.empty() ? "" : " ", Coordinate(p.x), Coordinate(p.y));
    }
    document_.Raw(fmt::format("<polygon points=\"{}\" class=\"mark {}\"/>\n", points, css));
  }
  std::string Finish() const { return document_.Finish(kHeight); }

 private:
  report::SvgDocument document_;
};

class CanvasSurface {
 public:
  static constexpr double kScale = 2;

  CanvasSurface()
      : canvas_(internal::MakeCanvas(static_cast<int>(kScale * kWidth),
                                     static_cast<int>(kScale * kHeight))) {}

  void Text(double x, double y, std::string_view text, Place place, bool bold) {
    internal::TextStyle style{kScale * (bold ? 14 : 12), internal::kInk,
                              internal::TextAnchor::kStart, bold};
    if (place == Place::kMiddle) style.anchor = internal::TextAnchor::kMiddle;
    if (place == Place::kEnd) style.anchor = internal::TextAnchor::kEnd;
    internal::DrawText(canvas_, kScale * x, kScale * y, text, style);
  }
  void Rule(const Point& a, const Point& b, bool faint) {
    internal::Stroke(canvas_, {{Up(a), Up(b)}}, kScale,
                     faint ? Rgb{0.86, 0.86, 0.86} : internal::kInk);
  }
  void Arrow(const Point& from, const Point& to, const Pen& pen) {
    const ArrowShape shape = ShapeOf(from, to, pen.width);
    const Rgb& color = kSeriesColors[pen.series];
    const internal::Polyline shaft{Up(from), Up(shape.end)};
    std::vector<internal::Polyline> lines{shaft};
    if (pen.dashed) {
      // Round ends are longer than the dashes by half the width on each side.
      const double round = kScale * pen.width;
      lines = internal::Dashes(Ahead(shaft, kScale * pen.offset + round / 2),
                               kScale * kDash - round, kScale * kDash + round);
    }
    internal::Stroke(canvas_, lines, kScale * pen.width, color);
    internal::Polyline head;
    for (const Point& p : shape.head) head.push_back(Up(p));
    internal::FillPolygon(canvas_, head, color);
  }
  Image Finish() const { return canvas_; }

 private:
  static Point Up(const Point& p) { return {kScale * p.x, kScale * p.y}; }
  // The line without its first piece.
  static internal::Polyline Ahead(internal::Polyline line, double skip) {
    const Point a = line[0], b = line[1];
    const double share = skip / std::hypot(b.x - a.x, b.y - a.y);
    line[0] = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    return line;
  }

  Image canvas_;
};

// Left and bottom axes of a panel whose origin is at `origin`.
template <class Surface>
void DrawAxes(Surface& surface, const Point& origin) {
  const double left = origin.x - kPlotWidth / 2, right = origin.x + kPlotWidth / 2;
  for (const double value : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const double x = origin.x + value * kUnit;
    surface.Rule({x, origin.y}, {x, origin.y - kPlotHeight}, true);
    surface.Rule({x, origin.y}, {x, origin.y + 4}, false);
    const std::string text = fmt::format("{}{:g}", value < 0 ? "\u2212" : "", std::abs(value));
    surface.Text(x, origin.y + 18, text, Place::kMiddle, false);
  }
  for (const double value : {0.0, 0.5, 1.0}) {
    const double y = origin.y - value * kUnit;
    surface.Rule({left, y}, {right, y}, true);
    surface.Rule({left - 4, y}, {left, y}, false);
    surface.Text(left - 8, y + 4, fmt::format("{:g}", value), Place::kEnd, false);
  }
  surface.Rule({left, origin.y}, {right, origin.y}, false);
  surface.Rule({left, origin.y}, {left, origin.y - kPlotHeight}, false);
}

double DegreesBetween(const Figure1Pooled& pooled) {
  const double cross = pooled.first[0] * pooled.second[1] - pooled.first[1] * pooled.second[0];
  return std::abs(std::atan2(cross, pooled.similarity)) * 180 / 3.14159265358979323846;
}

std::string Summary(const Figure1Pooled& pooled) {
  return fmt::format("similarity of the dashed vectors {:.4f}, angle {:.1f}\u00b0",
                     pooled.similarity, DegreesBetween(pooled));
}

template <class Surface>
void Draw(Surface& surface, const Figure1& figure) {
  for (std::size_t p = 0; p < figure.pooled.size(); ++p) {
    const Figure1Pooled& pooled = figure.pooled[p];
    const double left = 40 + static_cast<double>(p) * (kPlotWidth + 66);
    const Point origin{left + kPlotWidth / 2, kTop + kPlotHeight};
    const auto arrow = [&](const Vector& v, const Pen& pen) {
      surface.Arrow(origin, {origin.x + v[0] * kUnit, origin.y - v[1] * kUnit}, pen);
    };
    surface.Text(left, kTop - 14, fmt::format("({}) {}", p == 0 ? "a" : "b", pooled.title),
                 Place::kStart, true);
    DrawAxes(surface, origin);
    arrow(figure.sky, {kGreen, 6});
    arrow(figure.rare_first, {kRed, 2});
    arrow(figure.rare_second, {kBlue, 2});
    arrow(pooled.first, {kRed, 2.5, true, 0});
    arrow(pooled.second, {kBlue, 2.5, true, kDash});
    surface.Text(origin.x, origin.y + 42, Summary(pooled), Place::kMiddle, false);
  }
  const auto entry = [&](double x, double y, const std::string& text, const Pen& pen) {
    surface.Arrow({x, y - 4}, {x + 40, y - 4}, pen);
    surface.Text(x + 50, y, text, Place::kStart, false);
  };
  entry(40, kLegendTop, fmt::format("{} patches of sky, in both images", figure.options.sky),
        {kGreen, 6});
  surface.Text(90, kLegendTop + 22, "evenly from 89.5\u00b0 to 90.5\u00b0, length 1", Place::kStart,
               false);
  entry(330, kLegendTop, "one rare patch, image 1", {kRed, 2});
  entry(590, kLegendTop, "one rare patch, image 2", {kBlue, 2});
  entry(330, kLegendTop + 22, "all patches pooled, image 1", {kRed, 2.5, true, 0});
  entry(590, kLegendTop + 22, "all patches pooled, image 2", {kBlue, 2.5, true, 0});
}

constexpr const char* kTitle = "What one rare patch does to a pooled vector";

}  // namespace

void Check(const Figure1Options& options) {
  Require(options.sky >= 1, "figure1.sky", ">= 1", options.sky);
  Require(options.lambda >= 0 && std::isfinite(options.lambda), "figure1.lambda", ">= 0 and finite",
          options.lambda);
}

Figure1 ComputeFigure1(const Figure1Options& options) {
  Check(options);
  const Rows first = MakePatches(options.sky, 45), second = MakePatches(options.sky, 135);
  const auto a = Encodings::DenseView(first), b = Encodings::DenseView(second);
  GmpOptions gmp;
  gmp.lambda = options.lambda;

  Figure1 figure;
  figure.options = options;
  figure.sky = Unit(first.topRows(options.sky).cast<double>().colwise().sum().transpose());
  figure.rare_first = first.row(options.sky).cast<double>().transpose();
  figure.rare_second = second.row(options.sky).cast<double>().transpose();
  figure.pooled.push_back({"Sum pooling", Unit(PoolSum(a)), Unit(PoolSum(b)), 0});
  figure.pooled.push_back({fmt::format("Generalized max pooling, \u03bb = {:g}", options.lambda),
                           Unit(PoolGmp(a, gmp).phi), Unit(PoolGmp(b, gmp).phi), 0});
  for (Figure1Pooled& pooled : figure.pooled) pooled.similarity = pooled.first.dot(pooled.second);
  return figure;
}

std::string Figure1Svg(const Figure1& figure) {
  std::string description = fmt::format(
      "Two images share {} patches of sky, of length 1 and evenly from 89.5 to 90.5 degrees, drawn "
      "as one thick arrow pointing up, and each has one rare patch of length 1: at 45 degrees in "
      "the "
      "first, at 135 degrees in the second.",
      figure.options.sky);
  for (const Figure1Pooled& pooled : figure.pooled) {
    description += fmt::format(" {}: {}.", pooled.title, Summary(pooled));
  }
  SvgSurface surface(kTitle, description);
  surface.Text(8, 22, kTitle, Place::kStart, true);
  Draw(surface, figure);
  return surface.Finish();
}

Image Figure1Image(const Figure1& figure) {
  CanvasSurface surface;
  surface.Text(8, 22, kTitle, Place::kStart, true);
  Draw(surface, figure);
  return surface.Finish();
}

}  // namespace alcedo
