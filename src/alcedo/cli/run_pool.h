// Runs `alcedo pool`.
#pragma once

#include "alcedo/cli/pool_job.h"

namespace alcedo::cli {

// Pools every bag and writes the output. Gives kOk or kSomeSkipped; everything else is thrown.
int RunPool(const PoolJob& job);

}  // namespace alcedo::cli
