// Options that no picture can be read or described with, found before any file is touched.
#pragma once

#include "alcedo/config/options.h"

namespace alcedo::cli {

// Throws InvalidArgument.
void CheckDescribeOptions(const DescribeOptions& options);

}  // namespace alcedo::cli
