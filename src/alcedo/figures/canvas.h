// Drawing into an image: rectangles, lines, polygons and text, with smooth edges.
#pragma once

#include <string_view>
#include <vector>

#include "alcedo/figures/color_scale.h"
#include "alcedo/image/image.h"

namespace alcedo::internal {

// Positions are in pixels; the left upper corner of the image is (0, 0), and the centre of the
// first pixel (0.5, 0.5). What lies outside is left out.
struct Point {
  double x = 0, y = 0;
};
using Polyline = std::vector<Point>;

inline constexpr Rgb kWhite{1, 1, 1};
inline constexpr Rgb kInk{0.11, 0.11, 0.1};
inline constexpr Rgb kSoftInk{0.4, 0.4, 0.38};

// An image of one colour.
Image MakeCanvas(int width, int height, const Rgb& color = kWhite);

// Whole pixels.
void FillRectangle(Image& canvas, int x, int y, int width, int height, const Rgb& color);

// An image with its left upper corner there. Grey becomes grey.
void Paste(Image& canvas, const Image& image, int x, int y);

// Lines with round ends and corners. All of them are one shape: where they cross, nothing is drawn
// twice. A polyline of one point is a dot.
void Stroke(Image& canvas, const std::vector<Polyline>& lines, double width, const Rgb& color);

// Pieces of `on` pixels with gaps of `off` between them.
std::vector<Polyline> Dashes(const Polyline& line, double on, double off);

// A closed polygon.
void FillPolygon(Image& canvas, const Polyline& corners, const Rgb& color);

}  // namespace alcedo::internal
