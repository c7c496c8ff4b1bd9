// What `alcedo pool` was asked to do, free of how it was asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/config/options.h"
#include "alcedo/pooling/pool.h"

namespace alcedo::cli {

enum class OutputForm { kNpy, kSafetensors, kStdout, kFolder };

struct PoolJob {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  std::string array;                // of an .npz or .safetensors; empty: all that are bags
  std::string offsets;              // file of row offsets: one array holds ragged bags
  std::string blocks;               // file or folder of block indices
  Index num_blocks = 0;             // with blocks

  PoolingOptions pooling = GmpOptions{};
  std::vector<double> lambdas;  // of GMP; one for all other poolings
  bool nonnegative = false;     // GMP with weights >= 0
  std::string input_weights;    // file or folder, of weighted pooling

  std::optional<double> power;  // then block_l2, then l2
  bool block_l2 = false;
  bool l2 = false;

  std::string output;
  OutputForm form = OutputForm::kNpy;
  ValueType type = ValueType::kFloat32;
  std::string weights;  // where to write the patches' weights; empty: nowhere
  bool resume = false;

  bool report = false;      // on standard error
  std::string report_file;  // as JSON; empty: none
  int threads = 1;
  std::uint64_t seed = 0;
  bool quiet = false;

  bool has_blocks() const { return !blocks.empty(); }
};

}  // namespace alcedo::cli
