#include "alcedo/vocabulary/gaussian_mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/vocabulary/gaussian_mixture_em.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {
namespace {

// Sums of every dimension and of its squares, around one row.
struct Moments {
  Vector first, second;

  void Add(const Moments& other) {
    first += other.first;
    second += other.second;
  }
  template <class Visit>
  void VisitValues(Visit&& visit) {
    visit(std::span(first.data(), static_cast<std::size_t>(first.size())));
    visit(std::span(second.data(), static_cast<std::size_t>(second.size())));
  }
};

Vector DataVariances(const RankedSamples& samples, int threads) {
  const Index dimension = samples.dimension();
  const Index first_row[] = {0};
  const Vector origin = samples.Fetch(first_row).row(0).transpose().cast<double>();
  const Moments zero{Vector::Zero(dimension), Vector::Zero(dimension)};
  const Moments all = SumShards(
      samples, 0, zero, threads, [&](Index first, Index size, const Shards& shards, Moments& sums) {
        Rows scratch;
        shards.ForEachChunk(first, size, [&](Index begin, Index count) {
          const float* rows = samples.own().Chunk(begin, count, scratch);
          for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < dimension; ++j) {
              const double t = static_cast<double>(rows[i * dimension + j]) - origin[j];
              sums.first[j] += t;
              sums.second[j] += t * t;
            }
          }
        });
      });
  const auto total = static_cast<double>(samples.rows());
  return (all.second / total - (all.first / total).cwiseAbs2()).cwiseMax(0);
}

}  // namespace

void CheckGaussianMixture(const GaussianMixture& mixture) {
  const Index size = mixture.means.rows(), dimension = mixture.means.cols();
  if (size < 1 || dimension < 1 || mixture.weights.size() != size ||
      mixture.variances.rows() != size || mixture.variances.cols() != dimension) {
    throw InvalidArgument(fmt::format(
        "a mixture must have as many weights as means, and variances of their size, got "
        "{} weights, {} x {} means and {} x {} variances",
        mixture.weights.size(), size, dimension, mixture.variances.rows(),
        mixture.variances.cols()));
  }
  const auto refuse = [](Index k, std::string_view what, double value) {
    throw InvalidArgument(fmt::format("Gaussian {} of the mixture: {}, got {}", k, what, value));
  };
  for (Index k = 0; k < size; ++k) {
    const double weight = mixture.weights[k];
    if (!(weight > 0 && weight <= 2)) refuse(k, "its weight must be positive and finite", weight);
    for (Index j = 0; j < dimension; ++j) {
      const float variance = mixture.variances(k, j);
      if (!(variance > 0 && std::isfinite(variance))) {
        refuse(k, fmt::format("variance {} must be positive and finite", j), variance);
      }
      if (!std::isfinite(mixture.means(k, j))) {
        refuse(k, fmt::format("mean {} must be finite", j), mixture.means(k, j));
      }
    }
  }
  const double sum = mixture.weights.sum();
  Require(std::abs(sum - 1) <= 1e-6, "sum of the weights of a mixture", "1 (to 1e-6)", sum);
}

Vector VarianceFloors(const RankedSamples& samples, double part, int threads) {
  CheckSamples(samples, "samples", threads);
  Vector variances = DataVariances(samples, threads);
  constexpr double kLeast = std::numeric_limits<float>::min();
  constexpr double kMost = std::numeric_limits<float>::max();
  Require(variances.maxCoeff() <= kMost / 4, "variance of the samples", "in the range of float",
          variances.maxCoeff());
  const double mean = variances.mean();
  for (double& variance : variances) {
    if (variance <= 0) variance = mean > 0 ? mean : 1;
    variance = std::max(variance * part, kLeast);
  }
  return variances;
}

namespace {

void RequireSamplesOf(const GaussianMixture& mixture, const SampleSource& samples) {
  if (samples.rows() >= 1 && samples.dimension() == mixture.dimension()) return;
  throw InvalidArgument(
      fmt::format("samples must be at least one of the {} dimensions of the mixture, got {} x {}",
                  mixture.dimension(), samples.rows(), samples.dimension()));
}

}  // namespace

EmStep RunEmStep(const SampleSource& samples, const GaussianMixture& mixture,
                 const Vector& variance_floors, double min_weight, int threads) {
  RequireSamplesOf(mixture, samples);
  Require(variance_floors.size() == mixture.dimension() && variance_floors.minCoeff() > 0,
          "variance floors", "positive, one per dimension",
          static_cast<double>(variance_floors.size()));
  const MixtureSums sums = SumPosteriors(samples, mixture, threads);
  bool replaced;
  return {Maximize(mixture, sums, variance_floors, min_weight, &replaced),
          sums.log_likelihood / static_cast<double>(samples.rows())};
}

double MeanLogLikelihood(const GaussianMixture& mixture, const SampleSource& samples, int threads) {
  RequireSamplesOf(mixture, samples);
  return SumPosteriors(samples, mixture, threads).log_likelihood /
         static_cast<double>(samples.rows());
}

void Check(const GmmOptions& options) {
  Require(options.gaussians >= 1, "gmm.gaussians", ">= 1", options.gaussians);
  Require(options.kmeans_iterations >= 0, "gmm.kmeans_iterations", ">= 0",
          options.kmeans_iterations);
  Require(options.max_iterations >= 0, "gmm.max_iterations", ">= 0", options.max_iterations);
  Require(std::isfinite(options.tolerance) && options.tolerance >= 0, "gmm.tolerance",
          "finite and >= 0", options.tolerance);
  Require(options.variance_floor > 0 && options.variance_floor <= 1, "gmm.variance_floor",
          "in (0, 1]", options.variance_floor);
  Require(options.min_weight >= 0 && options.min_weight < 1, "gmm.min_weight", "in [0, 1)",
          options.min_weight);
}

GaussianMixture FitGaussianMixture(const SampleSource& own, const GmmOptions& options, Rng& rng,
                                   const FitContext<GaussianMixture>& context) {
  Check(options);
  Require(context.start_iteration >= 0, "EM start iteration", ">= 0", context.start_iteration);
  const int threads = context.threads;
  const RankedSamples samples(own, context.ranks);
  const Vector floors = VarianceFloors(samples, options.variance_floor, threads);

  GaussianMixture mixture;
  bool replaced = false;
  if (const GaussianMixture* start = context.start) {
    CheckGaussianMixture(*start);
    if (start->size() != options.gaussians || start->dimension() != samples.dimension()) {
      throw InvalidArgument(
          fmt::format("EM start must be {} Gaussians of {} dimensions, got {} of {}",
                      options.gaussians, samples.dimension(), start->size(), start->dimension()));
    }
    mixture = *start;
  } else {
    const KMeansOptions kmeans{options.gaussians, options.kmeans_iterations, 1e-4};
    const Codebook codebook =
        FitKMeans(own, kmeans, rng, {.threads = threads, .ranks = context.ranks});
    mixture = {codebook.weights, codebook.centers,
               (floors / options.variance_floor)
                   .cast<float>()
                   .transpose()
                   .replicate(options.gaussians, 1)};
    const MixtureSums sums = SumNearest(samples, mixture, threads);
    mixture = Maximize(mixture, sums, floors, options.min_weight, &replaced);
  }

  const auto total = static_cast<double>(samples.rows());
  // As in k-means, sums and likelihood of the mixture as it is are the end of an iteration: a fit
  // can be resumed from the mixture alone.
  MixtureSums sums = SumPosteriors(samples, mixture, threads);
  int iteration = context.start_iteration;
  bool converged = false;
  while (!converged && iteration < options.max_iterations) {
    const double before = sums.log_likelihood / total;
    mixture = Maximize(mixture, sums, floors, options.min_weight, &replaced);
    sums = SumPosteriors(samples, mixture, threads);
    const double after = sums.log_likelihood / total;
    const double change = (after - before) / std::max(std::abs(before), 1e-300);
    converged = change <= options.tolerance && !replaced;
    ++iteration;
    if (context.observer) {
      context.observer({iteration, options.max_iterations, after, change}, mixture);
    }
  }
  if (context.report != nullptr) {
    *context.report = {iteration, sums.log_likelihood / total, converged};
  }
  return mixture;
}

}  // namespace alcedo
