// Computed values as the bytes of an array file.
#pragma once

#include <string>

#include "alcedo/base/types.h"
#include "alcedo/config/options.h"

namespace alcedo {

// All rows, one after the other, little-endian. Throws InvalidArgument for values that the type
// cannot hold: an infinity is not a value, and neither is a row of zeros that was none.
std::string ValueBytes(const Matrix& values, ValueType type);

}  // namespace alcedo
