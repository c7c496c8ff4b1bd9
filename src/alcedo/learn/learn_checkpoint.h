// One iteration of training in a file: of a GaussianMixture, a Codebook or a Dictionary.
#pragma once

#include <optional>
#include <string>

namespace alcedo::internal {

// With this, and numbers drawn from the seed anew, training goes on as if nothing had happened.
template <class Model>
struct Checkpoint {
  int iteration = 0;  // the model is what it left
  Model model;
};

// `identity` says what is being learned from which samples.
template <class Model>
std::string CheckpointBytes(const Checkpoint<Model>& checkpoint, const std::string& identity);

// Nothing if the bytes are damaged or of another identity: training then starts again, and comes
// to the same end.
template <class Model>
std::optional<Checkpoint<Model>> ParseCheckpoint(std::string bytes, const std::string& identity);

}  // namespace alcedo::internal
