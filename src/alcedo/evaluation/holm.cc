#include "alcedo/evaluation/holm.h"

#include <algorithm>
#include <numeric>

#include "alcedo/base/error.h"

namespace alcedo {

std::vector<double> HolmCorrected(std::span<const double> p) {
  for (const double one : p) Require(one >= 0 && one <= 1, "p", "in [0, 1]", one);
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> corrected(p.size());
  double largest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    largest = std::max(largest, static_cast<double>(order.size() - k) * p[order[k]]);
    corrected[order[k]] = std::min(1.0, largest);
  }
  return corrected;
}

}  // namespace alcedo
