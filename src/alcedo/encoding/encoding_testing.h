// Random vocabularies and descriptors for the tests of the encoders.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encoders.h"

namespace alcedo::testing {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline Rows RandomRows(Rng& rng, Index rows, Index cols, double scale = 1) {
  Rows values(rows, cols);
  for (float& x : values.reshaped()) x = static_cast<float>(scale * rng.Normal());
  return values;
}

inline Codebook RandomCodebook(Rng& rng, Index size, Index dimension, double scale = 1) {
  Codebook codebook{RandomRows(rng, size, dimension, scale), Vector(size)};
  for (double& w : codebook.weights) w = 0.1 + rng.Uniform();
  codebook.weights /= codebook.weights.sum();
  return codebook;
}

inline GaussianMixture RandomMixture(Rng& rng, Index size, Index dimension, double scale = 1) {
  GaussianMixture mixture{Vector(size), RandomRows(rng, size, dimension, scale),
                          Rows(size, dimension)};
  for (double& w : mixture.weights) w = 0.1 + rng.Uniform();
  mixture.weights /= mixture.weights.sum();
  for (float& v : mixture.variances.reshaped()) {
    v = static_cast<float>(scale * scale * (0.3 + rng.Uniform()));
  }
  return mixture;
}

inline Dictionary RandomDictionary(Rng& rng, Index size, Index dimension) {
  Dictionary dictionary{RandomRows(rng, size, dimension)};
  dictionary.atoms.rowwise().normalize();
  return dictionary;
}

inline RandomFourier RandomFrequencies(Rng& rng, Index size, Index dimension) {
  RandomFourier fourier{RandomRows(rng, size, dimension), Vector(size), 1};
  for (double& b : fourier.phases) b = 6.283185307179586 * rng.Uniform();
  return fourier;
}

// The number of the nearest center, in the naive way.
inline Index NaiveNearest(const Rows& centers, const Rows& rows, Index n) {
  Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < centers.rows(); ++k) {
    double sum = 0;
    for (Index j = 0; j < centers.cols(); ++j) {
      const double t = static_cast<double>(rows(n, j)) - centers(k, j);
      sum += t * t;
    }
    if (sum < least) {
      least = sum;
      best = k;
    }
  }
  return best;
}

// The message of the InvalidArgument that `call` must throw.
inline std::string Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "(accepted)";
}

}  // namespace alcedo::testing
