#include "alcedo/classifier/fusion.h"

#include <fmt/format.h>

#include <cmath>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

void CheckChannels(std::span<const Matrix> channels) {
  Require(!channels.empty(), "number of channels", ">= 1", 0);
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].rows() != channels[0].rows() || channels[k].cols() != channels[0].cols()) {
      throw InvalidArgument(fmt::format(
          "channel {} must have {} x {} scores as the first, got {} x {}", k, channels[0].rows(),
          channels[0].cols(), channels[k].rows(), channels[k].cols()));
    }
    for (Index i = 0; i < channels[k].rows(); ++i) {
      if (channels[k].row(i).allFinite()) continue;
      throw InvalidArgument(fmt::format("channel {}: row {} has a score that is not finite", k, i));
    }
  }
}

// A point of the simplex in whole units, so that it is found again exactly.
struct Candidate {
  std::vector<int> units;
  double quality = 0;
  double squares = 0;  // the smaller, the more even

  bool operator>(const Candidate& other) const {
    return quality != other.quality ? quality > other.quality : squares < other.squares;
  }
};

class Search {
 public:
  Search(std::span<const Matrix> channels, const std::function<double(const Matrix&)>& quality)
      : channels_(channels), quality_(quality) {}

  void Try(std::vector<int> units) {
    Candidate candidate{std::move(units)};
    candidate.quality = quality_(FuseScores(channels_, Weights(candidate)));
    if (std::isnan(candidate.quality)) {
      throw InvalidArgument("the quality of fused scores must be a number, got NaN");
    }
    for (const double w : Weights(candidate)) candidate.squares += w * w;
    if (best_.units.empty() || candidate > best_) best_ = std::move(candidate);
  }

  const Candidate& best() const { return best_; }

  static std::vector<double> Weights(const Candidate& candidate) {
    double total = 0;
    for (const int units : candidate.units) total += units;
    std::vector<double> weights;
    for (const int units : candidate.units) weights.push_back(units / total);
    return weights;
  }

 private:
  std::span<const Matrix> channels_;
  const std::function<double(const Matrix&)>& quality_;
  Candidate best_;
};

}  // namespace

Matrix FuseScores(std::span<const Matrix> channels, std::span<const double> weights) {
  CheckChannels(channels);
  if (!weights.empty() && weights.size() != channels.size()) {
    throw InvalidArgument(fmt::format("there must be a weight for each of the {} channels, got {}",
                                      channels.size(), weights.size()));
  }
  Matrix fused = Matrix::Zero(channels[0].rows(), channels[0].cols());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const double weight = weights.empty() ? 1 : weights[k];
    Require(std::isfinite(weight), "weight of a channel", "finite", weight);
    fused += weight * channels[k];
  }
  return fused;
}

std::vector<double> ChooseFusionWeights(std::span<const Matrix> channels,
                                        const std::function<double(const Matrix&)>& quality,
                                        int steps) {
  CheckChannels(channels);
  Require(steps >= 1, "steps of the fusion weights", ">= 1", steps);
  const auto count = static_cast<int>(channels.size());
  Search search(channels, quality);
  search.Try(std::vector<int>(count, steps));
  if (count == 2) {
    for (int k = 0; k <= steps; ++k) search.Try({k, steps - k});
    return Search::Weights(search.best());
  }
  for (int k = 0; k < count && count > 1; ++k) {
    std::vector<int> alone(count, 0);
    alone[k] = count * steps;
    search.Try(alone);
  }
  for (int share = steps; share >= 1; share /= 2) {
    std::vector<int> from;
    // The best move, then the best from there. Every round is strictly better: it comes to an end.
    while (from != search.best().units) {
      from = search.best().units;
      for (int to = 0; to < count; ++to) {
        for (int of = 0; of < count; ++of) {
          if (to == of || from[of] < share) continue;
          std::vector<int> moved = from;
          moved[of] -= share;
          moved[to] += share;
          search.Try(std::move(moved));
        }
      }
    }
  }
  return Search::Weights(search.best());
}

}  // namespace alcedo
