// A mixture of Gaussians with diagonal covariances: the vocabulary of the Fisher Vector.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/base/random.h"
#include "alcedo/base/ranks.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/training.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

struct GmmOptions {
  static constexpr Label kLabel{.name = "gmm", .title = "Gaussian mixture"};

  int gaussians = 256;
  int kmeans_iterations = 10;    // of the k-means that EM starts from
  int max_iterations = 30;       // of EM
  double tolerance = 1e-5;       // stop when the mean log-likelihood rises by less than this part
  double variance_floor = 0.01;  // no variance below this part of the data's, per dimension
  double min_weight = 1e-6;      // no Gaussian below this weight; see FitGaussianMixture
};
template <class Visitor>
void VisitFields(GmmOptions& o, Visitor&& visit) {
  visit("gaussians", o.gaussians, "number of Gaussians, >= 1");
  visit("kmeans_iterations", o.kmeans_iterations, "k-means iterations before EM");
  visit("max_iterations", o.max_iterations, "EM iterations at most");
  visit("tolerance", o.tolerance, "stop when the log-likelihood rises by less than this part");
  visit("variance_floor", o.variance_floor, "no variance below this part of the data's");
  visit("min_weight", o.min_weight, "smaller Gaussians are replaced by a half of the largest");
}

void Check(const GmmOptions& options);

struct GaussianMixture {
  Vector weights;  // G, > 0, sum 1
  Rows means;      // G x d
  Rows variances;  // G x d, > 0

  Index size() const { return means.rows(); }
  Index dimension() const { return means.cols(); }
};

// Throws InvalidArgument if sizes do not fit, a weight or variance is not positive, a value is
// not finite or the weights do not sum to 1 (to 1e-6).
void CheckGaussianMixture(const GaussianMixture& mixture);

// EM from k-means. Variances never fall below variance_floor x the data's variance of that
// dimension (see VarianceFloors() if that is 0: constant dimensions and single points have a
// defined fit). A Gaussian whose weight falls below min_weight is put beside the heaviest one, a
// tenth of a deviation away in every dimension, and takes half of its weight; if a half would be
// too light as well, it stays where it was with min_weight. So no weight is ever zero. Statistics
// in double over fixed chunks: same bytes for any number of threads. No rows is an InvalidArgument,
// and so is a value that is not finite.
//
// Likelihood and mixture always belong together, as in FitKMeans().
//
// Ranks: each has its own samples; see SampleGrain().
GaussianMixture FitGaussianMixture(const SampleSource& samples, const GmmOptions& options, Rng& rng,
                                   const FitContext<GaussianMixture>& context = {});

// One iteration of EM from `mixture`: the new mixture and the mean log-likelihood of the old one.
// Posteriors below 1e-6 are left out of the statistics and the others made to sum to 1: with G
// Gaussians at most 1e-6 G of a row's mass moves, with dense SIFT and G = 256 it is 1e-5 on
// average.
struct EmStep {
  GaussianMixture mixture;
  double mean_log_likelihood = 0;
};
EmStep RunEmStep(const SampleSource& samples, const GaussianMixture& mixture,
                 const Vector& variance_floors, double min_weight = 1e-6, int threads = 1);

// Collective: `part` x the variance of every dimension; of the mean variance in a dimension of
// none, and of 1 if no dimension has any. Checks the samples as FitGaussianMixture() does.
Vector VarianceFloors(const RankedSamples& samples, double part, int threads = 1);

// The mean log-likelihood of the rows.
double MeanLogLikelihood(const GaussianMixture& mixture, const SampleSource& samples,
                         int threads = 1);

}  // namespace alcedo
