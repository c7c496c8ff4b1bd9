// Pools many bags: reads them, pools them in parallel, writes the vectors.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "alcedo/bags/bag_output.h"
#include "alcedo/bags/bag_plan.h"
#include "alcedo/base/run.h"
#include "alcedo/pooling/report.h"

namespace alcedo {

// What the solvers did for one bag.
struct BagReport {
  std::string name;
  Index num_rows = 0;
  std::vector<SolveReport> solves;   // one per lambda
  std::vector<SolveReport> weights;  // of weights solved for on their own, one per lambda
};

struct BagResults {
  std::vector<BagReport> bags;    // all that were pooled by this run, in order
  std::vector<Failure> failures;  // the reasons are whole sentences: bags of one array share them
  std::vector<std::string> warnings;
  std::set<Index> dimensions;  // of the vectors
  Index planned = 0;           // bags, also those of earlier runs and bad files
  std::string bytes;           // of the form kBytes
};

struct BagRun : Run {
  // How an error becomes a reason. Empty: its what().
  std::function<std::string(const Error&)> word;
  // Sees the paths before anything is read in full or written, and may throw. May be empty.
  std::function<void(const std::vector<OptionPath>& read, const std::vector<OptionPath>& written)>
      check_paths;
};

// A bad bag is a failure if there are several bags, and an exception if there is one.
BagResults PoolBags(const BagJob& job, const BagRun& run);

}  // namespace alcedo
