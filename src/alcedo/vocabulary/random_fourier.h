// Random Fourier frequencies of the Gaussian kernel (Rahimi and Recht 2007), for EMK.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {

struct FourierOptions {
  static constexpr Label kLabel{.name = "fourier", .title = "random Fourier features"};

  int outputs = 2048;  // D >= 1; the paper's 2,048 (section 5.3)
  double sigma = 0;    // bandwidth; 0: the median distance between descriptors
};
template <class Visitor>
void VisitFields(FourierOptions& o, Visitor&& visit) {
  visit("outputs", o.outputs, "random projections, the dimension of EMK");
  visit("sigma", o.sigma, "bandwidth of the kernel; 0: the median distance between descriptors");
}
void Check(const FourierOptions& options);

// exp(-|x - y|^2 / (2 sigma^2)) is the mean over D of 2 cos(w'x + b) cos(w'y + b), with w normal of
// variance 1 / sigma^2 per entry and b uniform in [0, 2 pi). (scikit-learn's RBFSampler calls
// 1 / (2 sigma^2) gamma.) The error of the mean falls with 1 / sqrt(D).
struct RandomFourier {
  Rows frequencies;  // D x d
  Vector phases;     // D
  double sigma = 1;

  Index size() const { return frequencies.rows(); }
  Index dimension() const { return frequencies.cols(); }
};

// Frequencies are drawn for sigma = 1, output by output (its d frequencies, then its phase), and
// divided by sigma: another sigma with the same seed is the same draw, scaled, and fewer outputs
// are the first of more. Requires outputs, dimension >= 1 and sigma > 0, finite, and not so small
// that frequencies leave the range of float.
RandomFourier DrawRandomFourier(Index outputs, Index dimension, double sigma, Rng& rng);

// The median distance between pairs of rows, a usual first guess of sigma: from `pairs` >= 1 pairs
// of different rows drawn at random. Pairs that are equal are left out, since they say nothing of
// the scale and there may be many (flat patches are all zero). 1 if all pairs were equal, or
// there are none. Requires finite rows.
double MedianDistance(const RowsView& rows, Index pairs, Rng& rng);

}  // namespace alcedo
