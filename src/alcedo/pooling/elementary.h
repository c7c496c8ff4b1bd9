// The poolings that treat every dimension by itself (section 2 of the paper), for any encodings.
// A value that a row does not hold counts as the zero it is, so every result equals that of the
// dense rows. No rows at all give zeros.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"

namespace alcedo {

Vector PoolSum(const Encodings& encodings);
Vector PoolMean(const Encodings& encodings);
Vector PoolMax(const Encodings& encodings);

struct LpOptions {
  static constexpr Label kLabel{.name = "lp", .title = "lp", .color = 12, .power_color = 13};

  double p = 2;            // >= 1; 1 is the mean of magnitudes, infinity the largest magnitude
  bool keep_sign = false;  // pool sign(x) |x|^p, and give the root its sign back
};
// Throws InvalidArgument for options outside their range.
void Check(const LpOptions& options);
template <class Visitor>
void VisitFields(LpOptions& o, Visitor&& visit) {
  visit("p", o.p, "exponent of lp pooling, >= 1: 1 is the mean, large values approach the maximum");
  visit("keep_sign", o.keep_sign,
        "lp pooling of sign(x) |x|^p, for encodings with negative values");
}
// (1/N sum_n |x_n|^p)^(1/p), and with keep_sign the signed root of 1/N sum_n sign(x_n) |x_n|^p. For
// p = infinity that is the value of largest magnitude, and 0 if +m and -m cancel.
Vector PoolLp(const Encodings& encodings, const LpOptions& options);

struct SoftmaxOptions {
  static constexpr Label kLabel{
      .name = "softmax", .title = "softmax", .color = 14, .power_color = 15};

  double beta = 1;           // >= 0; 0 is the mean, large values approach the maximum
  bool log_sum_exp = false;  // 1/beta log(1/N sum exp(beta x)) instead of the softmax-weighted mean
};
void Check(const SoftmaxOptions& options);
template <class Visitor>
void VisitFields(SoftmaxOptions& o, Visitor&& visit) {
  visit("beta", o.beta,
        "sharpness of softmax pooling, >= 0: 0 is the mean, large values the maximum");
  visit("log_sum_exp", o.log_sum_exp,
        "pool 1/beta log(mean exp(beta x)) instead of softmax weights");
}
// sum_n x_n exp(beta x_n) / sum_n exp(beta x_n), or log-sum-exp; neither overflows for any beta.
Vector PoolSoftmax(const Encodings& encodings, const SoftmaxOptions& options);

}  // namespace alcedo
