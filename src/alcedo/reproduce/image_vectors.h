// One picture, read once, and everything that is asked of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/encode/represent.h"

namespace alcedo {

// A coding made ready: its encoder, and which vocabulary it was made from.
struct ReadyCoding {
  Coding coding;
  Encoder encoder;
  Pyramid pyramid;
  std::string vocabulary_checksum;

  Index dimension() const;  // of one vector
};

// What all codings of one descriptor share.
struct ReadyDescriptor {
  DescribeOptions describe;
  std::optional<Pca> pca;
  std::vector<int> codings;  // of ReadyPlan
  Encoder bov;               // hard assignment to the words of one of its vocabularies
};

struct ReadyPlan {
  std::vector<ReadyDescriptor> descriptors;
  std::vector<ReadyCoding> codings;
  double accuracy = 1e-4;  // of solvers
};

// Which choices of a coding are wanted, in order; empty: the coding is not needed.
using WantedChoices = std::vector<std::vector<int>>;  // per coding
WantedChoices AllChoices(const ReadyPlan& plan);

// Per coding the wanted vectors, one row each, before power and L2. `bytes` are a picture, `name`
// stands for it in messages. Every descriptor is computed and projected once.
std::vector<Rows> ImageVectors(const ReadyPlan& plan, const std::string& bytes,
                               const std::string& name, const WantedChoices& wanted);

// The choices of one set of encodings, one row each.
Rows PoolChoices(const Encodings& encodings, const std::vector<PoolChoice>& choices,
                 double accuracy);

// Power, then L2: in place. `cells` parts of equal size, a pyramid's, are normalised one by one and
// then together.
void NormalizeForSvm(Eigen::Ref<Rows> vectors, double power, Index cells);

}  // namespace alcedo
