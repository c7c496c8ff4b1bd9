// One way to turn an image into vectors, made ready for many images: a descriptor, its projection,
// an encoder, a pyramid, poolings and a normalisation.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/config/config.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/learn/vocabulary.h"
#include "alcedo/pooling/pyramid.h"

namespace alcedo {

// What a channel gives of one image.
struct ChannelVectors {
  Matrix values;  // one row per pooling, in the order of Channel::poolings()
  Index patches = 0;
  // The solves of the first cell, one per pooling, then those of the second; empty if no pooling
  // solves anything.
  std::vector<SolveReport> reports;
  double dropped_posterior = 0;  // by soft Fisher Vectors: mean mass per descriptor
};

// Immutable, cheap to copy: copies share their tables. All threads may share one.
class Channel {
 public:
  // Throws InvalidArgument if the two do not fit; see MakeEncoder() for which do.
  Channel(const Vocabulary& vocabulary, const EncodeConfig& config);

  // With these poolings instead of the one of the configuration.
  Channel(const Vocabulary& vocabulary, const EncodeConfig& config,
          std::vector<PoolingOptions> poolings);

  // With all that was left to the vocabulary filled in.
  const EncodeConfig& config() const;
  const Describer& describer() const;
  const std::optional<Pca>& pca() const;
  const Encoder& encoder() const;
  const Pyramid& pyramid() const;
  const std::vector<PoolingOptions>& poolings() const;

  Index descriptor_dimension() const;  // before the projection
  Index dimension() const;             // of one vector: cells x encoded dimension

  // Projected, as the encoder takes them. InvalidArgument if they have another dimension than the
  // vocabulary.
  Rows Project(const Descriptors& descriptors, int threads = 1) const;

  // Projected and encoded, one row per descriptor.
  Encodings Encode(const Descriptors& descriptors, int threads = 1,
                   EncodeReport* report = nullptr) const;

  // The vectors of an image with these descriptors. An image without patches (smaller than one, or
  // all flat and left out) gives zeros. A pyramid of several cells needs positions. `wanted`: only
  // these poolings, by number.
  ChannelVectors Represent(const Descriptors& descriptors, int threads = 1,
                           std::optional<std::span<const int>> wanted = std::nullopt) const;

  // The same from rows that Project() gave.
  ChannelVectors RepresentProjected(
      const RowsView& projected, const Descriptors& descriptors, int threads = 1,
      std::optional<std::span<const int>> wanted = std::nullopt) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// Where the centres of the patches are, as pyramids take them. Requires positions.
std::vector<RelativePosition> RelativePositions(const Descriptors& descriptors);

// Throws InvalidArgument for options out of range, or that do not fit each other, as far as that
// can be known without a vocabulary.
void Check(const EncodeConfig& config);

}  // namespace alcedo
