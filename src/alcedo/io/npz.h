// The .npz format: a zip of .npy files.
#pragma once

#include "alcedo/io/byte_source.h"
#include "alcedo/io/payload.h"

namespace alcedo::internal {

// Members that are not .npy are ignored, as long as there is one that is. An array of an
// unsupported dtype is listed, and refused when it is read.
ArrayTable ReadNpzTable(const ByteSource& source);

}  // namespace alcedo::internal
