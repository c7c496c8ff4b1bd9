// The efficient match kernel (Bo and Sminchisescu 2009; section 5.3 of the paper).
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/vocabulary/random_fourier.h"

namespace alcedo {

// What the frequencies are drawn for, if the vocabulary has none.
struct EmkOptions {
  static constexpr Label kLabel{.name = "emk", .title = "EMK"};

  int outputs = 2048;  // D >= 1; the paper's 2,048 (section 5.3)
  double sigma = 0;    // bandwidth; 0: the median distance between descriptors
};
template <class Visitor>
void VisitFields(EmkOptions& o, Visitor&& visit) {
  visit("outputs", o.outputs, "random projections, the dimension of EMK");
  visit("sigma", o.sigma, "bandwidth of the kernel; 0: the median distance between descriptors");
}
void Check(const EmkOptions& options);

// sqrt(2 / D) cos(w'x + b), so that the dot product of two encodings approximates the Gaussian
// kernel of their descriptors. Dense. Arguments are computed in float; those beyond 1e4, where a
// float says little of an angle, in double.
struct EmkEncoder {
  RandomFourier fourier;
};

}  // namespace alcedo
