// From descriptors to one vector per image: projection, encoding, pooling, normalisation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/descriptors.h"
#include "alcedo/config/config.h"
#include "alcedo/learn/vocabulary.h"
#include "alcedo/pooling/pyramid.h"

namespace alcedo {

// A vocabulary and a config made ready for many images.
struct Representer {
  EncodeConfig config;  // with the encoder that auto stands for
  Index descriptor_dimension = 0;
  std::optional<Pca> pca;
  Encoder encoder;
  Pyramid pyramid;
  PoolingOptions pooling;

  Index dimension() const;  // of one vector: cells x encoded dimension
};

// Throws InvalidArgument where the two do not go together. BOV, LLC, VLAD and Super Vector also
// take a mixture: its means are the codewords and its weights theirs. EMK takes any vocabulary: its
// frequencies are drawn from the seed, for the projected descriptors, unless it is one of kind
// fourier.
Representer MakeRepresenter(const Vocabulary& vocabulary, const EncodeConfig& config);

struct Representation {
  Matrix values;  // lambdas x dimension
  Index patches = 0;
  std::vector<SolveReport>
      reports;  // per cell, for each all lambdas; empty where nothing is solved
  double dropped_posterior = 0;
};

// Where the patches' centres are, as pyramids take them. Requires positions.
std::vector<RelativePosition> RelativePositions(const Descriptors& descriptors);

// An image without patches (smaller than one, or all flat and left out) is a vector of zeros.
Representation Represent(const Representer& representer, const Descriptors& descriptors,
                         int threads = 1);

}  // namespace alcedo
