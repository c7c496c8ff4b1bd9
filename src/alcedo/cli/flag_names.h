// The names of option fields in messages of the library as the flags that set them.
#pragma once

#include <string>

#include "alcedo/pooling/pool.h"

namespace alcedo::cli {

// `message` with --max-iterations for gmp.max_iterations, --lp-p for lp.p, and so on, for the
// fields of `pooling`.
std::string WithFlagNames(const PoolingOptions& pooling, std::string message);

}  // namespace alcedo::cli
