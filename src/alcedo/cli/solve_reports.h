// What the solvers did, for people and for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alcedo/cli/bag_plan.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/pool_job.h"
#include "alcedo/pooling/report.h"

namespace alcedo::cli {

struct BagReport {
  std::string name;
  Index num_rows = 0;
  std::vector<SolveReport> solves;   // one per lambda
  std::vector<SolveReport> weights;  // of weights solved for on their own, one per lambda
};

// One line per bag and lambda.
std::vector<std::string> ReportLines(const BagReport& bag);

// One line for each solve of the bag that did not converge.
std::vector<std::string> WarningLines(const BagReport& bag);

Json ReportJson(const PoolJob& job, std::span<const BagReport> bags,
                std::span<const Failure> failures);

}  // namespace alcedo::cli
