// What to do with bags of anybody's rows: where they are, how they are pooled, where the vectors
// go.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/config/options.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/pool.h"

namespace alcedo {

struct BagPooling {
  PoolingOptions pooling = GmpOptions{};
  std::vector<double> lambdas = {GmpOptions{}.lambda};  // of GMP; one for all other poolings
  bool nonnegative = false;                             // GMP with weights >= 0

  std::optional<double> power;  // then block_l2, then l2
  bool block_l2 = false;
  bool l2 = false;

  std::string_view name() const;  // of the pooling
};

// "gmp"
std::string_view PoolingName(const PoolingOptions& pooling);

// Throws InvalidArgument if no bag can be pooled like this.
void Check(const BagPooling& pooling);

struct PooledBag {
  Matrix phi;                                // one row per lambda, normalised
  Matrix weights;                            // one row per lambda; empty unless asked for
  std::vector<SolveReport> reports;          // of phi, one per lambda; GMP and democratic pooling
  std::vector<SolveReport> weights_reports;  // of weights solved for on their own
};

struct PoolBagRun {
  bool weights = false;  // whether the weights of the patches are wanted (gmp, democratic)
  int threads = 1;
};

// `input_weights` are those of weighted pooling, empty otherwise.
PooledBag PoolBag(const Encodings& encodings, const BagPooling& pooling,
                  const Vector& input_weights, const PoolBagRun& run = {});

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
