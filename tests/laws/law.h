// What every law needs: random draws that depend on (law, case) alone, and a loop over the cases
// that counts them and says how to replay the one that failed.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo::laws {

// splitmix64: two lines, and cheap to seed, which matters when every case has its own stream.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double Uniform(double low = 0, double high = 1) {
    return low + (high - low) * (static_cast<double>(Next() >> 11) * 0x1p-53);
  }
  // Both ends included.
  Index Integer(Index low, Index high) {
    return low + static_cast<Index>(Next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(double probability) { return Uniform() < probability; }
  double LogUniform(double low, double high) {
    return std::exp(Uniform(std::log(low), std::log(high)));
  }
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(1 - Uniform()));
    return radius * std::cos(Uniform(0, 6.283185307179586));
  }
  template <class T>
  T Pick(std::initializer_list<T> choices) {
    return choices.begin()[Integer(0, static_cast<Index>(choices.size()) - 1)];
  }
  std::vector<Index> Permutation(Index size) {
    std::vector<Index> order(size);
    for (Index i = 0; i < size; ++i) {
      const Index j = Integer(0, i);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

 private:
  std::uint64_t state_;
};

// Which cases of `count` the environment asks for: all, one, or every n-th.
std::vector<int> CasesToRun(int count);
// True where all cases run, so that statements about their statistics make sense.
bool AllCasesRun();
// Seeds the stream of one case of the law that runs now.
Random RandomForCase(int index);
void CountCase();
// "case 17, replay it with ...", for the law that runs now.
std::string HowToReplay(int index);

// Calls body(random) for every case, up to the first that fails.
template <class Body>
void ForEachCase(int count, Body body) {
  for (const int index : CasesToRun(count)) {
    Random random = RandomForCase(index);
    try {
      body(random);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "exception: " << error.what();
    }
    CountCase();
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << HowToReplay(index);
      return;
    }
  }
}

}  // namespace alcedo::laws
