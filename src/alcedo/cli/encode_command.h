// `alcedo encode`: its arguments, apart for the tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/config/config.h"
#include "alcedo/files/vector_file.h"

namespace alcedo::cli {

struct EncodeRequest {
  EncodeConfig config;
  RunOptions run;
  std::optional<VectorForm> form;  // of a file; nothing: a feature store
  int images_per_shard = 128;      // of a store
};

// Defaults are those of `config`.
class EncodeArguments {
 public:
  explicit EncodeArguments(const EncodeConfig& config = {});

  App& app() { return app_; }
  const EncodeRequest& request() const { return request_; }
  // False if --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);
  // UsageError if a flag goes with another choice than the one that `config` makes.
  void CheckFlags(const EncodeConfig& config) const;

 private:
  App app_;
  EncodeRequest request_;
  std::vector<PlacedFlag> flags_;
};

}  // namespace alcedo::cli
