// JSON that never loses a number, and the configuration of a job.
#pragma once

#include <string>

#include "alcedo/cli/pool_job.h"
#include "alcedo/pipeline/field_json.h"

namespace alcedo::cli {

// Names may hold any bytes; those that are not UTF-8 are replaced.
std::string Dump(const Json& json, int indent = -1);

// Everything that the values of the output depend on, the inputs aside: options, the files
// that say how to read the inputs (by path, as given), and the seed.
Json ConfigOf(const PoolJob& job);

// "0.1.0"
std::string Version();

}  // namespace alcedo::cli
