// Gradient noise: what textures are made of.
#pragma once

#include <cstdint>

#include "alcedo/base/random.h"

namespace alcedo::synth {

// A field of smooth noise over the plane, one for each seed: features are about one unit wide,
// values in (-1, 1) with mean 0.
double Noise(std::uint64_t seed, double x, double y);

// Noise of several sizes added up, each half as wide and half as strong as the one before it.
double Fractal(std::uint64_t seed, double x, double y, int octaves);

// Uniform in [low, high).
double Between(Rng& rng, double low, double high);

}  // namespace alcedo::synth
