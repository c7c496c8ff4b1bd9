#include "alcedo/encode/channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/encode/make_encoder.h"

namespace alcedo {
namespace {

const GaussianMixture& NeedMixture(const Vocabulary& vocabulary) {
  const auto* mixture = std::get_if<GaussianMixture>(&vocabulary.words);
  if (mixture == nullptr) {
    ThrowOtherKind(FisherOptions::kLabel.name, GmmOptions::kLabel.name, vocabulary);
  }
  return *mixture;
}

void CheckFit(const Vocabulary& v, const EncodeConfig& config) {
  const std::string_view descriptor = v.config.describe.descriptor.name();
  if (config.describe.descriptor.name() != descriptor) {
    throw InvalidArgument("descriptor",
                          fmt::format("must be {}, which the vocabulary {} was learned from",
                                      descriptor, config.vocabulary),
                          std::string(config.describe.descriptor.name()));
  }
  if (config.gaussians == 0) return;
  const Index size = NeedMixture(v).size();
  if (size == config.gaussians) return;
  throw InvalidArgument(
      "gaussians",
      fmt::format("must be {}, as many as the vocabulary {} has", size, config.vocabulary),
      std::to_string(config.gaussians),
      {"learn a vocabulary with", "gaussians", std::to_string(config.gaussians)});
}

// One pooling for each lambda, or the pooling without one.
std::vector<PoolingOptions> PoolingsOf(EncodeConfig& config) {
  if (!config.pooling.Is<GmpOptions>()) {
    return {config.pooling.Visit([](const auto& options) -> PoolingOptions { return options; })};
  }
  auto& gmp = config.pooling.Get<GmpOptions>();
  if (config.lambdas.empty()) {
    config.lambdas = {1};
    gmp.relative = true;
  }
  std::vector<PoolingOptions> poolings;
  for (const double lambda : config.lambdas) {
    GmpOptions options = gmp;
    options.lambda = lambda;
    poolings.emplace_back(options);
  }
  return poolings;
}

bool Solves(const PoolingOptions& pooling) {
  return std::holds_alternative<GmpOptions>(pooling) ||
         std::holds_alternative<DemocraticOptions>(pooling);
}

}  // namespace

void Check(const EncodeConfig& config) {
  Check(config.describe);
  Check(config.normalization);
  Require(config.gaussians >= 0, "gaussians", ">= 0", config.gaussians);
  ParsePyramid(config.pyramid);
  config.encoder.Visit([](const auto& options) { CheckMember(options); });
  config.pooling.Visit([](const auto& options) { CheckMember(options); });
  if (config.pooling.Get<GmpOptions>().lambda != GmpOptions{}.lambda) {
    throw InvalidArgument("gmp.lambda", "must be given as lambda, which may have several values",
                          fmt::format("{}", config.pooling.Get<GmpOptions>().lambda));
  }
  for (const double lambda : config.lambdas) {
    Require(lambda >= 0 && std::isfinite(lambda), "lambda", ">= 0 and finite", lambda);
  }
  if (!config.lambdas.empty() && !config.pooling.Is<GmpOptions>()) {
    throw InvalidArgument(
        "lambda", fmt::format("goes with pooling gmp, not with {}", config.pooling.name()), "");
  }
}

struct Channel::State {
  EncodeConfig config;
  Describer describer;
  Index descriptor_dimension = 0;
  std::optional<Pca> pca;
  PreparedEncoder encoder;
  Pyramid pyramid;
  std::vector<PoolingOptions> poolings;
};

Channel::Channel(const Vocabulary& vocabulary, const EncodeConfig& config)
    : Channel(vocabulary, config, {}) {}

Channel::Channel(const Vocabulary& vocabulary, const EncodeConfig& config,
                 std::vector<PoolingOptions> poolings) {
  EncodeConfig c = config;
  Check(c);
  CheckFit(vocabulary, c);
  if (poolings.empty()) poolings = PoolingsOf(c);
  for (const PoolingOptions& pooling : poolings) Check(pooling);
  PreparedEncoder encoder(MakeEncoder(vocabulary, c.encoder, c.seed));
  Describer describer(c.describe);
  Pyramid pyramid = ParsePyramid(c.pyramid);
  state_ = std::make_shared<const State>(
      State{std::move(c), std::move(describer), vocabulary.descriptor_dimension, vocabulary.pca,
            std::move(encoder), std::move(pyramid), std::move(poolings)});
}

const EncodeConfig& Channel::config() const { return state_->config; }
const Describer& Channel::describer() const { return state_->describer; }
const std::optional<Pca>& Channel::pca() const { return state_->pca; }
const Encoder& Channel::encoder() const { return state_->encoder.encoder(); }
const Pyramid& Channel::pyramid() const { return state_->pyramid; }
const std::vector<PoolingOptions>& Channel::poolings() const { return state_->poolings; }
Index Channel::descriptor_dimension() const { return state_->descriptor_dimension; }
Index Channel::dimension() const {
  return state_->encoder.dimension() * static_cast<Index>(state_->pyramid.cells.size());
}

Rows Channel::Project(const Descriptors& descriptors, int threads) const {
  if (descriptors.values.cols() != state_->descriptor_dimension) {
    throw InvalidArgument(fmt::format("the descriptors have {} dimensions, the vocabulary {}",
                                      descriptors.values.cols(), state_->descriptor_dimension));
  }
  if (!state_->pca) return descriptors.values;
  return alcedo::Project(*state_->pca, descriptors.values, threads);
}

Encodings Channel::Encode(const Descriptors& descriptors, int threads, EncodeReport* report) const {
  return state_->encoder.Encode(Project(descriptors, threads), threads, report);
}

ChannelVectors Channel::Represent(const Descriptors& descriptors, int threads,
                                  std::optional<std::span<const int>> wanted) const {
  if (descriptors.values.rows() == 0)
    return RepresentProjected(Rows(), descriptors, threads, wanted);
  return RepresentProjected(Project(descriptors, threads), descriptors, threads, wanted);
}

ChannelVectors Channel::RepresentProjected(const RowsView& projected,
                                           const Descriptors& descriptors, int threads,
                                           std::optional<std::span<const int>> wanted) const {
  const State& s = *state_;
  const bool whole = IsWholeImage(s.pyramid);
  if (!whole && projected.rows() > 0 && descriptors.patches.empty()) {
    throw InvalidArgument("pyramid", "needs the positions of the descriptors", s.config.pyramid);
  }
  std::vector<PoolingOptions> some;
  if (wanted) {
    for (const int number : *wanted)
      some.push_back(s.poolings.at(static_cast<std::size_t>(number)));
  }
  const std::span<const PoolingOptions> poolings = wanted ? some : s.poolings;
  ChannelVectors result;
  result.patches = projected.rows();
  if (result.patches == 0) {
    result.values = Matrix::Zero(static_cast<Index>(poolings.size()), dimension());
    return result;
  }
  EncodeReport encode_report;
  const Encodings encodings = s.encoder.Encode(projected, threads, &encode_report);
  result.dropped_posterior = encode_report.dropped_posterior;
  PooledPyramid pooled = PoolPyramid(
      encodings, s.pyramid,
      whole ? std::vector<RelativePosition>{} : RelativePositions(descriptors), poolings, threads);
  result.values = std::move(pooled.values);
  if (std::ranges::any_of(poolings, Solves)) result.reports = std::move(pooled.reports);
  for (Index i = 0; i < result.values.rows(); ++i) {
    Vector v = result.values.row(i);
    Normalize(v, s.config.normalization,
              {.cells = static_cast<Index>(s.pyramid.cells.size()),
               .block_size = encodings.block_size()});
    result.values.row(i) = v;
  }
  return result;
}

std::vector<RelativePosition> RelativePositions(const Descriptors& descriptors) {
  std::vector<RelativePosition> positions;
  positions.reserve(descriptors.patches.size());
  for (const Patch& patch : descriptors.patches) {
    // A centre can lie outside by rounding only.
    positions.push_back({std::clamp(patch.x / descriptors.width, 0.0, 1.0),
                         std::clamp(patch.y / descriptors.height, 0.0, 1.0)});
  }
  return positions;
}

}  // namespace alcedo
