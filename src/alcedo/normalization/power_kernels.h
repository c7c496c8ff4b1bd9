// Power normalisation in float, for every instruction set.
#pragma once

#include "alcedo/base/index.h"

namespace alcedo::internal {

// Below this share of the largest entry the logarithm is too large for float: twice its half ulp
// would be more than 4e-6 of the power.
inline constexpr float kSmallestShare = 1e-27f;

// Replaces v[i] by sign(v[i]) scale (|v[i]| / largest)^power; zeros stay. largest > 0, power > 0,
// and no other entry has a share below kSmallestShare.
void ScaledPowers(float* v, Index size, float largest, float power, float scale);

}  // namespace alcedo::internal
