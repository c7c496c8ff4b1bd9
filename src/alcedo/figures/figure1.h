// The paper's Figure 1 from real numbers: two images of many patches of sky and one rare patch
// each, pooled by sum and by GMP, in two dimensions.
#pragma once

#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/image/image.h"

namespace alcedo {

struct Figure1Options {
  int sky = 500;      // patches that both images share, a tight cluster around 90 degrees; >= 1
  double lambda = 0;  // of GMP, absolute
};
template <class Visitor>
void VisitFields(Figure1Options& o, Visitor&& visit) {
  visit("sky", o.sky, "patches of sky in each image");
  visit("lambda", o.lambda, "regularisation of GMP, >= 0");
}
void Check(const Figure1Options& options);

// Unit vectors.
struct Figure1Pooled {
  std::string title;      // "Sum pooling"
  Vector first, second;   // the pooled vectors of the two images
  double similarity = 0;  // their dot product
};

struct Figure1 {
  Figure1Options options;
  Vector sky;                         // the mean of the cluster, unit norm
  Vector rare_first, rare_second;     // at 45 and at 135 degrees
  std::vector<Figure1Pooled> pooled;  // sum, GMP
};

// Sky in even steps from 89.5 to 90.5 degrees; encodings have unit norm.
Figure1 ComputeFigure1(const Figure1Options& options = {});

// A standalone SVG with a title and a description, in the colours of a light or dark page.
std::string Figure1Svg(const Figure1& figure);

// The same on white, twice as many pixels as the SVG has units.
Image Figure1Image(const Figure1& figure);

}  // namespace alcedo
