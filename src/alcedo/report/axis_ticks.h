// Round numbers along an axis.
#pragma once

#include <string>
#include <vector>

namespace alcedo::report {

struct Tick {
  double value = 0;
  std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `count` of them, at least
// two if low < high allows it.
std::vector<Tick> LinearTicks(double low, double high, int count);

// Powers of ten within [low, high], each n-th so that there are no more than `count`; if there
// would be fewer than two, the values 1, 2 and 5 of each decade. Requires 0 < low <= high.
std::vector<Tick> LogTicks(double low, double high, int count);

}  // namespace alcedo::report
