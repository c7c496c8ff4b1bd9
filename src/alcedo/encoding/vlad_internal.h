// The residual of VLAD, which encoding and the fit of rotations share. Private to this module.
#pragma once

#include "alcedo/base/index.h"

namespace alcedo::encoding {

// out = row - center, divided by its norm where `unit` (zero stays zero).
void Residual(const float* row, const float* center, Index dimension, bool unit, float* out);

}  // namespace alcedo::encoding
