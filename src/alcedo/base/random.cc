#include "alcedo/base/random.h"

#include <bit>
#include <cmath>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

std::uint64_t SplitMix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (auto& word : state_) word = SplitMix64(seed);
}

Rng Rng::ForItem(std::uint64_t seed, std::uint64_t item) {
  // Both words go through the mixer, so that (1, 2) and (2, 1) are unrelated.
  std::uint64_t a = seed;
  std::uint64_t b = SplitMix64(a) ^ item;
  return Rng(SplitMix64(b));
}

std::uint64_t Rng::Next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

Index Rng::UniformIndex(Index n) {
  Require(n >= 1, "Rng::UniformIndex n", ">= 1", static_cast<double>(n));
  const auto range = static_cast<std::uint64_t>(n);
  // Values below 2^64 mod n are drawn again: the rest divides evenly.
  const std::uint64_t reject_below = (0 - range) % range;
  std::uint64_t x;
  do {
    x = Next();
  } while (x < reject_below);
  return static_cast<Index>(x % range);
}

double Rng::Normal() {
  // Marsaglia's polar method; the second value is dropped so that a draw has no memory.
  while (true) {
    const double u = 2 * Uniform() - 1;
    const double v = 2 * Uniform() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
  }
}

}  // namespace alcedo
