// Where pooled bags go: a file for all of them, or a folder with a file for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/cli/bag_plan.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/pool_bag.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::cli {

// One pooled bag as it will be written.
struct BagOutput {
  Index dimension = 0;
  std::string values;  // lambdas x dimension, in the type asked for
  Matrix weights;      // lambdas x patches; empty unless asked for
};

// Throws InvalidArgument for values that the output type cannot hold: an infinity is not a value,
// and neither is a vector of zeros that was none.
BagOutput MakeOutput(const PooledBag& bag, ValueType type);

// Files that are all written before the first of them appears. What is for "-" waits for Print().
class FileBatch {
 public:
  void Add(const std::string& path, std::string_view bytes);
  void Commit();
  // To standard output; outside of an Interrupts::Writing, since its reader may take its time.
  void Print() const;

 private:
  std::vector<std::unique_ptr<AtomicFile>> files_;
  std::string for_stdout_;
};

class Output {
 public:
  virtual ~Output() = default;

  // Whether an earlier run has written this bag, and whole. Throws InvalidArgument where there is
  // something of its name that cannot be told apart.
  virtual bool Has(const Bag&) const { return false; }
  // All files and folders that a run of `plan` may write.
  virtual std::vector<NamedPath> PathsWritten(const BagPlan& plan) const = 0;
  // Takes the output of bag `slot`. From any thread, once for each slot, inside an
  // Interrupts::Writing.
  virtual void Put(Index slot, const Bag& bag, BagOutput output) = 0;
  // Writes what was not written yet: of the slots that are `good`, in order, and the report if the
  // job has a file for it.
  virtual void Finish(std::span<const Index> good, const BagPlan& plan,
                      const std::string& report) = 0;
};

// Checks that the places to write to exist, and for a folder that its bags were pooled with the
// same options. Both arguments must outlive the output.
std::unique_ptr<Output> OpenOutput(const PoolJob& job, Interrupts& interrupts);

// The two kinds, for OpenOutput.
std::unique_ptr<Output> OpenFolderOutput(const PoolJob& job, Interrupts& interrupts);
std::unique_ptr<Output> OpenStackedOutput(const PoolJob& job, Interrupts& interrupts);

// A .npy of a matrix in f8, and with one row as a vector.
std::string WeightsNpy(const Matrix& weights);
// (lambdas, dimension), and (dimension,) for one lambda; `bags` in front unless 0.
std::vector<Index> OutputShape(Index bags, const PoolJob& job, Index dimension);
ElementType ElementTypeOf(ValueType type);

}  // namespace alcedo::cli
