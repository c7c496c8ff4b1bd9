// One iteration of EM and of k-means. What comes before and after the iterations is taken out: the
// time of some iterations less the time of fewer.
#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/kmeans.h"
#include "harness.h"
#include "natural.h"
#include "python_peers.h"
#include "vlfeat_peers.h"

namespace alcedo::bench {
namespace {

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void Em(std::vector<Row>& rows_out) {
  const NaturalDescriptors& data = Natural();
  const SampleSource samples(data.training);
  const Vector floors = VarianceFloors(samples, GmmOptions{}.variance_floor);
  EmStep step;
  std::vector<double> ours, theirs;
  double vlfeat = 0;
  for (int round = 0; round < 4; ++round) {
    const double us = Time([&] { step = RunEmStep(samples, data.mixture, floors); });
    const double one = Time([&] { vlfeat = VlfeatEm(data.mixture, data.training, 1); });
    const double two = Time([&] { VlfeatEm(data.mixture, data.training, 2); });
    if (round == 0) continue;
    ours.push_back(us);
    theirs.push_back(two - one);
  }
  rows_out.push_back(MakeRow(
      "em/100K x 64, 256 Gaussians", "vl_gmm, one iteration", {Median(ours), Median(theirs)}, 10,
      fmt::format("log-likelihood after it {:.4f}, peer {:.4f}; {}",
                  MeanLogLikelihood(step.mixture, samples), vlfeat, kVlfeatNote)));
}

void KMeans(std::vector<Row>& rows_out) {
  const NaturalDescriptors& data = Natural();
  const SampleSource samples(data.training);
  const Codebook start = NaturalWords();
  TrainingReport report;
  const auto fit = [&](int iterations) {
    return Time([&] {
      Rng rng(1);
      FitKMeans(samples, {.clusters = 256, .max_iterations = iterations, .tolerance = 0}, rng,
                {.report = &report, .start = &start});
    });
  };
  const int few = 1, many = 9;
  std::vector<double> ours;
  for (int round = 0; round < 6; ++round) {
    const double less = fit(few), more = fit(many);
    if (round > 0) ours.push_back((more - less) / (many - few));
  }
  std::string why;
  const auto python =
      RunPython("kmeans", {few, many}, {{"data", data.training}, {"centers", start.centers}}, why);
  if (const auto it = python.find("sklearn"); it != python.end()) {
    rows_out.push_back(MakeRow("kmeans/100K x 64, 256 clusters",
                               "scikit-learn, one Lloyd iteration", {Median(ours), it->second}, 1.5,
                               fmt::format("error after {} iterations {:.6f}, peer {:.6f}", many,
                                           report.objective, python.at("sklearn_error"))));
  } else {
    fmt::print(stderr, "skipped scikit-learn's k-means: {}\n", why);
  }
}

}  // namespace

std::vector<Group> VocabularyGroups() { return {{"em", Em}, {"kmeans", KMeans}}; }

}  // namespace alcedo::bench
