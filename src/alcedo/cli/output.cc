#include "alcedo/cli/output.h"

#include "alcedo/base/types.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo::cli {

BagOutput MakeOutput(const PooledBag& bag, ValueType type) {
  return {bag.phi.cols(), ValueBytes(bag.phi, type), bag.weights};
}

void FileBatch::Add(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    for_stdout_ += bytes;
    return;
  }
  files_.push_back(std::make_unique<AtomicFile>(path));
  files_.back()->Write(bytes);
}

void FileBatch::Commit() {
  for (const std::unique_ptr<AtomicFile>& file : files_) file->Commit();
}

void FileBatch::Print() const { WriteStdout(for_stdout_); }

std::unique_ptr<Output> OpenOutput(const PoolJob& job, Interrupts& interrupts) {
  CheckParent(job.report_file);
  if (job.form == OutputForm::kFolder) return OpenFolderOutput(job, interrupts);
  CheckParent(job.output);
  CheckParent(job.weights);
  return OpenStackedOutput(job, interrupts);
}

std::string WeightsNpy(const Matrix& weights) {
  std::vector<Index> shape{weights.cols()};
  if (weights.rows() != 1) shape.insert(shape.begin(), weights.rows());
  const std::string bytes = ValueBytes(weights, ValueType::kFloat64);
  return NpyBytes({"", shape, ElementType::kFloat64, bytes});
}

std::vector<Index> OutputShape(Index bags, const PoolJob& job, Index dimension) {
  std::vector<Index> shape{dimension};
  if (job.lambdas.size() != 1) shape.insert(shape.begin(), static_cast<Index>(job.lambdas.size()));
  if (bags != 0) shape.insert(shape.begin(), bags);
  return shape;
}

ElementType ElementTypeOf(ValueType type) {
  return type == ValueType::kFloat32 ? ElementType::kFloat32 : ElementType::kFloat64;
}

}  // namespace alcedo::cli
