// Checks of kernel matrices that come from outside. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// Throws InvalidArgument unless the kernel is square, finite, symmetric, and has no entry that its
// diagonal rules out, all to 1e-5 of its largest entry. The message names the row and the column.
// Returns that slack.
double CheckKernel(const MatrixView& kernel, const std::string& name);

// Throws InvalidArgument unless the kernel, checked as above, is positive semi-definite to 1e-6 of
// its trace: what a kernel computed in float can be off by. Costs a Cholesky factorisation.
void CheckPositive(const MatrixView& kernel, const std::string& name);

}  // namespace alcedo
