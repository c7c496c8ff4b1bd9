// Fisher Vectors (Perronnin et al. 2010): the gradients of the log-likelihood with respect to means
// and variances, blocks [u_k v_k] of size 2 d with, for posterior q_k,
//   u_k = q_k (x - mu_k) / sigma_k / sqrt(w_k)
//   v_k = q_k ((x - mu_k)^2 / sigma_k^2 - 1) / sqrt(2 w_k)
// not divided by the number of descriptors (section 5.4).
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "alcedo/base/choice.h"
#include "alcedo/base/options.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture.h"

namespace alcedo {

// Hard: q_k = 1 for the most likely Gaussian, one entry per row; soft: posteriors below the
// threshold are dropped, and the others renormalised.
enum class FisherAssignment { kHard, kSoft };
template <>
struct EnumNames<FisherAssignment> {
  static constexpr std::array<std::pair<FisherAssignment, std::string_view>, 2> values = {
      {{FisherAssignment::kHard, "hard"}, {FisherAssignment::kSoft, "soft"}}};
};
struct FisherOptions {
  static constexpr Label kLabel{.name = "fv", .title = "FV"};

  FisherAssignment assignment = FisherAssignment::kHard;
  double posterior_threshold = 1e-4;  // in [0, 1); the most likely Gaussian always stays
};
template <class Visitor>
void VisitFields(FisherOptions& o, Visitor&& visit) {
  visit("assignment", o.assignment, "one Gaussian per descriptor, or posteriors");
  visit("posterior_threshold", o.posterior_threshold,
        "soft assignment: smaller posteriors are dropped");
}
void Check(const FisherOptions& options);

struct FisherEncoder {
  GaussianMixture mixture;
  FisherOptions options;
};

struct EncodeReport {
  double dropped_posterior = 0;  // soft Fisher: mean mass per descriptor below the threshold
};

// The sum of the Fisher encodings of all rows without making them: what sum pooling of Encode()
// gives, faster. Posteriors included. Requires what Encode() requires; a descriptor so far away
// that the sum is not finite is an InvalidArgument.
Vector SumFisher(const FisherEncoder& encoder, const RowsView& descriptors, int threads = 1,
                 EncodeReport* report = nullptr);

// Fisher Vectors of other libraries: from blocks [u_k v_k] to VLFeat's [u_1 ... u_G v_1 ... v_G],
// and back. (scikit-image's differ in sign too; see docs/formats.md.)
Vector FisherToVlfeatOrder(const VectorView& fisher, Index gaussians);
Vector FisherFromVlfeatOrder(const VectorView& fisher, Index gaussians);

}  // namespace alcedo
