// Democratic aggregation (Jegou & Zisserman, CVPR 2014), on the same footing as GMP: weights alpha
// > 0 such that every patch contributes equally to the similarity of the pooled vector with itself,
//
//   alpha_n sum_m K_nm alpha_m = c_n,    c_n = (sum_m K_nm)^gamma,
//
// found by a symmetric Sinkhorn iteration. gamma = 0 is democratic; gamma = 1 is sum pooling
// (alpha = 1); between them lies gamma-democratic pooling (Lin, Maji & Koniusz, ECCV 2018).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/gmp_weights.h"

namespace alcedo {

struct DemocraticOptions {
  static constexpr Label kLabel{
      .name = "democratic", .title = "democratic", .color = 3, .power_color = 8};

  double gamma = 0;         // in [0, 1]
  double tolerance = 1e-4;  // largest relative deviation of a contribution from c_n
  int max_iterations = 100;
  // Replace negative kernel values by 0, as the authors do: with them a solution need not exist.
  // If rows are dense or have several entries this needs the N x N kernel in memory (in double,
  // as all kernels here); without it encodings need no kernel at all.
  bool clip_negative = true;
  // At most so many rows, evenly spaced; the others get the weight 0. 0: all rows. For dense rows,
  // whose kernel grows with the square of their number. Needs clip_negative.
  int most_rows = 0;
  // The most memory for kernels, in MiB; more is an InvalidArgument that says what would be needed.
  // Several threads that each hold the kernel of a block count together.
  double max_memory_mib = 4096;
  int threads = 1;
};
// Throws InvalidArgument for options outside their range.
void Check(const DemocraticOptions& options);
template <class Visitor>
void VisitFields(DemocraticOptions& o, Visitor&& visit) {
  visit("gamma", o.gamma, "democratic pooling: 0 equal contributions, 1 sum pooling");
  visit("tolerance", o.tolerance,
        "largest relative deviation of a contribution when Sinkhorn stops");
  visit("max_iterations", o.max_iterations, "most Sinkhorn iterations");
  visit("clip_negative", o.clip_negative, "replace negative similarities by 0, as the authors do");
  visit("most_rows", o.most_rows,
        "pool at most so many patches, evenly spaced, of an image that has more; 0: all");
  visit("max_memory_mib", o.max_memory_mib, "most memory for kernel matrices, in MiB");
}

// Weights from encodings. Rows of zeros have the weight 1. Without clipping a row can be opposed to
// the rest: if its kernel row sum is not positive it keeps the weight it would have alone,
// K_nn^((gamma - 1) / 2), and the report, which is then not converged, counts and names such rows.
//
// The report's residual is the largest relative deviation |alpha_n (K alpha)_n - c_n| / c_n.
WeightsResult DemocraticWeights(const Encodings& encodings, const DemocraticOptions& options = {});

// The options with each of these gammas in place of their own.
std::vector<DemocraticOptions> ForGammas(std::span<const double> gammas,
                                         const DemocraticOptions& options = {});

// The weights of every member of a path, in the order given, for little more than the price of one:
// members that differ in gamma and threads alone share their kernels.
std::vector<WeightsResult> DemocraticPath(const Encodings& encodings,
                                          std::span<const DemocraticOptions> path);

// From a kernel matrix alone, or its diagonal blocks: finite, symmetric, without a negative
// diagonal entry and with K_nm^2 <= K_nn K_mm, as every positive semi-definite matrix (all to 1e-5
// of the largest entry); anything else is an InvalidArgument. Rows then mean rows of the kernel.
WeightsResult DemocraticWeights(const MatrixView& kernel, const DemocraticOptions& options = {});
WeightsResult DemocraticWeights(std::span<const Matrix> diagonal_blocks,
                                const DemocraticOptions& options = {});

}  // namespace alcedo
