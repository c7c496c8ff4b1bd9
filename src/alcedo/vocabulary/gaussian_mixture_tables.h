// A mixture made ready for many rows; behind GmmScorer and EM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/coarse_scores.h"
#include "alcedo/linalg/score_kernels.h"
#include "alcedo/linalg/score_selection.h"
#include "alcedo/vocabulary/gaussian_mixture.h"

namespace alcedo {

// With rows centred and scaled by the same powers of two as the mixture,
//   log(w_k p(x | k)) = offset + b_k + sum_j (x_j m_kj / v_kj - x_j^2 / (2 v_kj)),
// a linear function of [x x^2]: a score. Its float error is bounded (score_kernels.h); if the
// bound is above kJointTolerance, and for decisions that are nearer than it, the sum of
// (x_j - m_kj)^2 / v_kj is computed in double.
class MixtureTables {
 public:
  explicit MixtureTables(const GaussianMixture& mixture);

  // The bound allows this error of a log-joint probability, 1 %; the errors themselves are a
  // hundred times smaller.
  static constexpr float kJointTolerance = 0.01F;

  // Of scores: coarse ones are enough for MostLikely(), and only for that.
  enum class Precision { kCoarse, kFloat };

  struct Work {
    Work(const MixtureTables& tables, Precision of_scores);
    Precision precision;
    float error_factor;
    kernels::ScoreRows rows;
    kernels::CoarseRows coarse;
    std::vector<float> scores;
    std::vector<std::int32_t> selected;  // Gaussians of one row, in order
    std::vector<float> values;           // their scores, later their posteriors
    std::vector<double> exact;
  };

  // Calls body(index, row, r) for every row, after the block in which it has the number r was
  // loaded. Throws InvalidArgument for a row that is not finite, counting from first_row.
  template <class Body>
  void ForEachRow(const float* rows, Index count, Index first_row, Work& work,
                  const Body& body) const {
    const Index dimension = mixture_.dimension();
    for (Index begin = 0; begin < count; begin += kernels::kScoreRows) {
      const Index size = std::min(kernels::kScoreRows, count - begin);
      Load(rows + begin * dimension, size, first_row + begin, work);
      for (Index r = 0; r < size; ++r) body(begin + r, rows + (begin + r) * dimension, r);
    }
  }

  // Computes the scores of at most kScoreRows rows.
  void Load(const float* rows, Index count, Index first_row, Work& work) const;

  // False if the scores of row r of the block mean nothing: it is too far away for float.
  bool Usable(const Work& work, Index r) const {
    return work.rows.norms[r] * functions_.largest_norm <= kernels::kLargestScore;
  }

  // The most likely Gaussian of row r (`row` is its values): the answer of double arithmetic, the
  // lowest index among equals.
  std::int32_t MostLikely(const float* row, Index r, Work& work) const;

  // Fills work.selected and work.values with the Gaussians whose joint probability is not below
  // e^-range of the largest (and perhaps some that are little below), and with their log-joint
  // probabilities minus `offset`.
  struct Selection {
    Index count;
    float largest;
    double offset;
  };
  Selection Select(const float* row, Index r, float range, Work& work) const;

  // Turns what Select() gives into posteriors, in place, and drops those below `threshold`, but
  // never the largest. Returns how many are left. `kept` is the sum of those, before renormalising.
  struct Posterior {
    Index count;
    float kept;
    double log_likelihood;
  };
  Posterior ToPosteriors(const Selection& selection, float threshold, Work& work) const;

  // The range outside of which all Gaussians together have less than 1.2e-7 of the probability: no
  // more than the rounding of a float.
  float NegligibleRange() const { return negligible_range_; }

  // log(w_k p(x | k)) of the `count` Gaussians in `which`, in double.
  void ExactJoint(const float* row, const std::int32_t* which, Index count, double* out) const;

  const GaussianMixture& mixture() const { return mixture_; }
  const float* scale() const { return scale_.data(); }

 private:
  // Times the norm of a function: the bound of the error of its score for row r.
  static float ErrorFactor(const Work& work, Index r) {
    return work.error_factor * work.rows.norms[r];
  }
  // Selects the Gaussians whose upper bound is not more than `range` below the largest lower bound.
  kernels::SelectedScores Candidates(Index r, float range, Work& work) const;

  GaussianMixture mixture_;
  std::vector<float> center_, scale_;
  kernels::ScoreFunctions functions_;
  kernels::CoarseFunctions coarse_;
  Vector constants_;  // log w_k - 1/2 sum_j log(2 pi v_kj)
  Matrix inverse_variances_;
  double offset_ = 0;
  float negligible_range_ = 0;
};

}  // namespace alcedo
