// JSON that never loses a number, and the configuration of a job.
#pragma once

#include <string>

#include "alcedo/cli/pool_job.h"
#include "alcedo/config/field_json.h"

namespace alcedo::cli {

// Everything that the values of the output depend on, the inputs aside: options, the files
// that say how to read the inputs (by path, as given), and the seed.
Json ConfigOf(const PoolJob& job);

// "0.1.0"
std::string Version();

}  // namespace alcedo::cli
