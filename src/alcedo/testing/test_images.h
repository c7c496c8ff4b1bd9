// Images for the tests of this module, and area averaging from its definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/image/image.h"

namespace alcedo {

// Something like a photograph: noise whose amplitude falls with its frequency, and sharp edges, in
// whole numbers of 0 to 255.
inline Image Scene(int width, int height, int channels, std::uint64_t seed) {
  Rng rng(seed);
  Image image = MakeImage(width, height, channels);
  for (int c = 0; c < channels; ++c) {
    float* plane = image.Plane(c);
    std::vector<double> values(static_cast<std::size_t>(width) * height, 128);
    for (int wave = 0; wave < 60; ++wave) {
      const double frequency = 0.02 * std::pow(80.0, rng.Uniform());  // radians per pixel
      const double angle = 6.2831853 * rng.Uniform(), phase = 6.2831853 * rng.Uniform();
      const double u = frequency * std::cos(angle), v = frequency * std::sin(angle);
      const double amplitude = 4 / std::sqrt(frequency);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          values[static_cast<std::size_t>(y) * width + x] +=
              amplitude * std::sin(u * x + v * y + phase);
        }
      }
    }
    for (int edge = 0; edge < 6; ++edge) {
      const double angle = 6.2831853 * rng.Uniform(), step = 60 * rng.Normal();
      const double px = width * rng.Uniform(), py = height * rng.Uniform();
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          if ((x - px) * std::cos(angle) + (y - py) * std::sin(angle) > 0) {
            values[static_cast<std::size_t>(y) * width + x] += step;
          }
        }
      }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      plane[i] = static_cast<float>(std::round(std::fmin(255, std::fmax(0, values[i]))));
    }
  }
  return image;
}

// The mean of the input under every output pixel, from the definition.
inline std::vector<double> NaiveShrink(const float* in, int in_width, int in_height, int width,
                                       int height) {
  std::vector<double> out;
  const double rx = static_cast<double>(in_width) / width;
  const double ry = static_cast<double>(in_height) / height;
  const auto covered = [](int pixel, double begin, double end) {
    return std::fmax(0, std::fmin(pixel + 1, end) - std::fmax(pixel, begin));
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int v = static_cast<int>(y * ry); v < in_height && v < (y + 1) * ry; ++v) {
        for (int u = static_cast<int>(x * rx); u < in_width && u < (x + 1) * rx; ++u) {
          sum += in[static_cast<std::size_t>(v) * in_width + u] * covered(u, x * rx, (x + 1) * rx) *
                 covered(v, y * ry, (y + 1) * ry);
        }
      }
      out.push_back(sum / (rx * ry));
    }
  }
  return out;
}

}  // namespace alcedo
