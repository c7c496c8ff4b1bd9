// Student's t distribution with any number of degrees of freedom, also broken ones and infinity.
#pragma once

namespace alcedo {

// The probability of |T| >= |t|. Requires freedom > 0; infinity is the normal distribution.
// Relative accuracy 1e-9 or better down to 1e-300. NaN for a t that is NaN.
double StudentP(double t, double freedom);

// The t with a probability of `level` for |T| <= t. Requires 0 < level < 1 and freedom > 0.
double StudentHalfWidth(double level, double freedom);

}  // namespace alcedo
