// All bags in one file, or on standard output.
#include <mutex>

#include "alcedo/base/types.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/output.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/io/array_writer.h"

namespace alcedo::cli {
namespace {

class StackedOutput : public Output {
 public:
  StackedOutput(const PoolJob& job, Interrupts& interrupts) : job_(job), interrupts_(interrupts) {}

  std::vector<NamedPath> PathsWritten(const BagPlan& plan) const override {
    std::vector<NamedPath> paths;
    if (job_.form != OutputForm::kStdout) paths.push_back({"--output", job_.output});
    if (WritesNames(plan)) paths.push_back({"--output", NamesFile()});
    if (!job_.weights.empty()) paths.push_back({"--weights", job_.weights});
    if (!job_.report_file.empty()) paths.push_back({"--report", job_.report_file});
    return paths;
  }

  void Put(Index slot, const Bag&, BagOutput output) override {
    const std::lock_guard lock(mutex_);
    if (slot >= static_cast<Index>(bags_.size())) bags_.resize(slot + 1);
    bags_[slot] = std::move(output);
  }

  void Finish(std::span<const Index> good, const BagPlan& plan,
              const std::string& report) override {
    // Without a good bag there is no table, and the report says why.
    const std::string bytes = good.empty() ? "" : FileBytes(good, plan);
    {
      const Interrupts::Writing writing(interrupts_);
      FileBatch files;
      if (!job_.report_file.empty()) files.Add(job_.report_file, report);
      if (!good.empty()) {
        if (!job_.weights.empty()) files.Add(job_.weights, WeightsNpy(StackWeights(good)));
        if (WritesNames(plan)) files.Add(NamesFile(), NameLines(good, plan));
        if (job_.form != OutputForm::kStdout) files.Add(job_.output, bytes);
      }
      files.Commit();
    }
    // A pipe may be full for hours: an interruption need not wait for it.
    if (job_.form == OutputForm::kStdout) WriteStdout(bytes);
  }

 private:
  // A .npy has no room for the names of its bags.
  bool WritesNames(const BagPlan& plan) const {
    return job_.form == OutputForm::kNpy && plan.collection;
  }
  std::string NamesFile() const { return job_.output + ".names.txt"; }

  std::string FileBytes(std::span<const Index> good, const BagPlan& plan) {
    std::string values;
    values.reserve(good.size() * bags_[good[0]].values.size());
    for (const Index slot : good) {
      values += bags_[slot].values;
      std::string().swap(bags_[slot].values);  // not twice in memory
    }
    const Index count = plan.collection ? static_cast<Index>(good.size()) : 0;
    const ArrayToWrite array{"pooled", OutputShape(count, job_, bags_[good[0]].dimension),
                             ElementTypeOf(job_.type), values};
    if (job_.form != OutputForm::kSafetensors) return NpyBytes(array);
    return SafetensorsBytes({&array, 1}, {{"alcedo_version", Version()},
                                          {"config", Dump(ConfigOf(job_))},
                                          {"names", Dump(Names(good, plan))},
                                          {"seed", std::to_string(job_.seed)}});
  }

  Matrix StackWeights(std::span<const Index> good) const {
    Index patches = 0;
    for (const Index slot : good) patches += bags_[slot].weights.cols();
    Matrix weights(static_cast<Index>(job_.lambdas.size()), patches);
    Index column = 0;
    for (const Index slot : good) {
      const Matrix& bag = bags_[slot].weights;
      weights.middleCols(column, bag.cols()) = bag;
      column += bag.cols();
    }
    return weights;
  }

  static Json Names(std::span<const Index> good, const BagPlan& plan) {
    Json names = Json::array();
    for (const Index slot : good) names.push_back(plan.bags[slot].name);
    return names;
  }

  static std::string NameLines(std::span<const Index> good, const BagPlan& plan) {
    std::string lines;
    for (const Index slot : good) lines += plan.bags[slot].name + "\n";
    return lines;
  }

  const PoolJob& job_;
  Interrupts& interrupts_;
  std::mutex mutex_;
  std::vector<BagOutput> bags_;
};

}  // namespace

std::unique_ptr<Output> OpenStackedOutput(const PoolJob& job, Interrupts& interrupts) {
  return std::make_unique<StackedOutput>(job, interrupts);
}

}  // namespace alcedo::cli
