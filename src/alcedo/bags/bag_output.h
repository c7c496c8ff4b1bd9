// Where pooled bags go: a file for all of them, or a folder with a file for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alcedo/bags/bag_job.h"
#include "alcedo/bags/bag_plan.h"
#include "alcedo/base/run.h"
#include "alcedo/base/types.h"

namespace alcedo {

// One pooled bag as it will be written.
struct BagValues {
  Index dimension = 0;
  std::string values;  // lambdas x dimension, in the type asked for
  Matrix weights;      // lambdas x patches; empty unless asked for
};

class BagOutput {
 public:
  virtual ~BagOutput() = default;

  // Whether an earlier run has written this bag, and whole. Throws InvalidArgument if there is
  // something of its name whose options are not known.
  virtual bool Has(const Bag&) const { return false; }
  // All files and folders that a run of `plan` may write.
  virtual std::vector<OptionPath> PathsWritten(const BagPlan& plan) const = 0;
  // Why this bag cannot be written, whatever it holds; "" if it can.
  virtual std::string Problem(const Bag&) const { return ""; }
  // Takes the output of bag `slot`. From any thread, once for each slot.
  virtual void Put(Index slot, const Bag& bag, BagValues values) = 0;
  // Writes what was not written yet: the slots that are `good`, in order, and the report if the
  // job has a file for it. Gives the bytes of an output in memory.
  virtual std::string Finish(std::span<const Index> good, const BagPlan& plan,
                             const std::string& report) = 0;
};

// Checks that the places to write to exist, and for a folder that its bags were pooled with the
// same options. `job` must outlive the output.
std::unique_ptr<BagOutput> OpenBagOutput(const BagJob& job);

}  // namespace alcedo
