// A self-test: small problems whose answers are known, and how fast it is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alcedo/pooling/gmp.h"

namespace alcedo::info {

struct Finding {
  std::string name;     // "gmp by dual agrees with the formula"
  std::string problem;  // one sentence; empty: all is well
  std::string detail;   // "relative difference 3.1e-15"
};

struct Speed {
  int threads = 1;
  double seconds = 0;
  double images_per_second = 0, patches_per_second = 0;
};

// A synthetic bag pooled by every solver, against elimination in the space of Eq. 6, written out.
using PoolFunction = std::function<Vector(const Encodings&, const GmpOptions&)>;
std::vector<Finding> CheckPooling(const PoolFunction& pool);

// An image made in memory survives a file of its own (PNG), and its vector by the bundled
// vocabulary is finite, not zero, and the same on 1 and on `threads` threads.
std::vector<Finding> CheckEncoding(int threads);

// Images encoded for `seconds` (and at least one of every thread).
Speed MeasureSpeed(int threads, double seconds);

}  // namespace alcedo::info
