// Random numbers that are the same on every machine and for every number of threads.
#pragma once

#include <cstdint>

#include "alcedo/base/index.h"

namespace alcedo {

// xoshiro256++, seeded by splitmix64. Passed explicitly, never global. The distributions are our
// own: those of the standard library differ between implementations.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  // An independent stream for one item, from (seed, item) alone: item i of a batch draws the same
  // numbers whatever thread it runs on and whatever was drawn before.
  static Rng ForItem(std::uint64_t seed, std::uint64_t item);

  std::uint64_t Next();
  double Uniform();             // [0, 1)
  Index UniformIndex(Index n);  // [0, n), without bias; requires n >= 1
  double Normal();              // mean 0, variance 1

 private:
  std::uint64_t state_[4];
};

}  // namespace alcedo
