// The efficient match kernel (Bo and Sminchisescu 2009; section 5.3 of the paper).
#pragma once

#include "alcedo/vocabulary/random_fourier.h"

namespace alcedo {

// sqrt(2 / D) cos(w'x + b), so that the dot product of two encodings approximates the Gaussian
// kernel of their descriptors. Dense. Arguments are computed in float; those beyond 1e4, where a
// float says little of an angle, in double.
struct EmkEncoder {
  RandomFourier fourier;
};

}  // namespace alcedo
