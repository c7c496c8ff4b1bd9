// What to do with bags of anybody's rows: where they are, how they are pooled, where the vectors
// go.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/bags/pool_bag.h"
#include "alcedo/config/options.h"

namespace alcedo {

struct BagInputs {
  std::vector<std::string> paths;             // files, folders, or "-" for `standard_input`
  std::optional<std::string> standard_input;  // the bytes of an array file
  std::string array;          // of an .npz or .safetensors; empty: all that are bags
  std::string offsets;        // file of row offsets: one array holds ragged bags
  std::string blocks;         // file or folder of block indices
  Index num_blocks = 0;       // with blocks
  std::string input_weights;  // file or folder, for weighted pooling

  bool has_blocks() const { return !blocks.empty(); }
};

enum class BagForm {
  kNpy,
  kSafetensors,
  kBytes,  // a .npy in memory: BagResults::bytes
  kFolder
};

struct BagDestination {
  std::string output;  // a file, or a folder with a .npy for each bag
  BagForm form = BagForm::kNpy;
  ValueType type = ValueType::kFloat32;
  std::string weights;  // where to write the weights of the patches; empty: nowhere
  std::string report;   // a .json file of what the solvers did; empty: none
  bool resume = false;  // skip the bags that the output folder has already
};

struct BagJob {
  BagInputs inputs;
  BagPooling pooling;
  BagDestination destination;
  std::uint64_t seed = 0;  // stored with the output; no pooling is random
};

// Throws InvalidArgument if no bag can be pooled like this, before any file is touched.
void Check(const BagJob& job);

// Everything that the values of the output depend on, the inputs aside: options, the files
// that say how to read the inputs (by path, as given), and the seed.
nlohmann::ordered_json ConfigOf(const BagJob& job);

}  // namespace alcedo
