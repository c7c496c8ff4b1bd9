// Holm's correction of p-values for how many there are.
#pragma once

#include <span>
#include <vector>

namespace alcedo {

// In the order of `p`: the smallest level at which Holm's procedure rejects that hypothesis. If all
// whose corrected p is below 0.05 are called different, the probability that one or more of them is
// not is below 0.05, whatever the dependence between the tests. The k-th smallest of n is
// multiplied by n - k + 1; none is above 1, or below that of a smaller p.
//
// Requires values in [0, 1]; else InvalidArgument.
std::vector<double> HolmCorrected(std::span<const double> p);

}  // namespace alcedo
