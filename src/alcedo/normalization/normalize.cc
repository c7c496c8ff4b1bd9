#include "alcedo/normalization/normalize.h"

#include <cmath>

#include "alcedo/base/error.h"

namespace alcedo {

void PowerNormalize(Eigen::Ref<Vector> v, double exponent) {
  Require(exponent >= 0 && exponent <= 1, "power exponent", "in [0, 1]", exponent);
  if (exponent == 1) return;
  for (double& x : v) {
    if (x != 0) x = std::copysign(std::pow(std::abs(x), exponent), x);
  }
}

void L2Normalize(Eigen::Ref<Vector> v) {
  const double largest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (largest == 0) return;
  // Two steps: the largest entry becomes 1, so that no square leaves the range of double.
  v /= largest;
  v /= v.norm();
}

void BlockL2Normalize(Eigen::Ref<Vector> v, Index block_size) {
  Require(block_size >= 1, "block_size", ">= 1", static_cast<double>(block_size));
  Require(v.size() % block_size == 0, "block_size", "a divisor of the vector's size",
          static_cast<double>(block_size));
  for (Index first = 0; first < v.size(); first += block_size) {
    L2Normalize(v.segment(first, block_size));
  }
}

}  // namespace alcedo
