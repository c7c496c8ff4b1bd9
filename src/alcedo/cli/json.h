// JSON that never loses a number, and the configuration of a job.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "alcedo/cli/pool_job.h"

namespace alcedo::cli {

using Json = nlohmann::ordered_json;

// A number, or the string "inf", "-inf" or "nan": JSON has no such numbers, and null would hide
// them.
Json JsonNumber(double value);

// Names may hold any bytes; those that are not UTF-8 are replaced.
std::string Dump(const Json& json, int indent = -1);

// Everything that the values of the output depend on, the inputs aside: options, the files
// that say how to read the inputs (by path, as given), and the seed.
Json ConfigOf(const PoolJob& job);

// "0.1.0"
std::string Version();

}  // namespace alcedo::cli
