// Which bags there are, and where: from headers alone, before anything is read or pooled.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alcedo/cli/array_source.h"
#include "alcedo/cli/pool_job.h"

namespace alcedo::cli {

struct Bag {
  std::string name;   // of its output
  std::string label;  // in messages: the file, and what in it
  std::shared_ptr<ArraySource> source;
  Index begin = 0;  // its rows of the source
  Index end = 0;
};

struct Failure {
  std::string label;
  std::string reason;
};

struct BagPlan {
  std::vector<InputFile> files;  // all that were looked into
  std::vector<Bag> bags;
  std::vector<Failure> failures;      // of files that could not even be looked into
  std::vector<std::string> warnings;  // of arrays that are no bags
  // Whether the output is a table of bags, even of one, or the vector of a single bag.
  bool collection = false;
  // Whether a bad bag is left out, or an error of the whole.
  bool skip_bad = false;
};

// Looks into all inputs. `job` must outlive the plan.
BagPlan PlanBags(const PoolJob& job);

}  // namespace alcedo::cli
