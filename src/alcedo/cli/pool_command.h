// `alcedo pool`: its arguments, apart for the tests.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/bags/bag_job.h"
#include "alcedo/cli/app.h"

namespace alcedo::cli {

struct PoolRequest {
  BagJob job;
  bool report = false;  // what the solvers did, on standard error
  int threads = 1;
  bool quiet = false;
};

class PoolArguments {
 public:
  PoolArguments();

  App& app() { return app_; }
  // Nothing if --help was asked for and given. Throws UsageError.
  std::optional<PoolRequest> Parse(const std::vector<std::string>& args);

 private:
  void AddInputOptions();
  void AddPoolingOptions();
  void AddOutputOptions();
  // Says that the option belongs to these poolings alone.
  void OnlyFor(const std::string& option, std::vector<std::string> poolings);
  void CheckOnlyFor() const;
  void CheckTogether() const;

  App app_;
  PoolRequest request_;
  std::string pooling_name_;
  std::string report_;                    // "true" for a bare --report
  std::vector<PoolingOptions> poolings_;  // one per name: the flags of each write to its own
  std::vector<std::pair<std::string, std::vector<std::string>>> only_for_;
};

}  // namespace alcedo::cli
