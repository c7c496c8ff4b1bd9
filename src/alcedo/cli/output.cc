#include "alcedo/cli/output.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "alcedo/io/array_writer.h"

namespace alcedo::cli {
namespace {

template <class T>
std::string Convert(const Matrix& values) {
  std::string bytes(static_cast<std::size_t>(values.size()) * sizeof(T), '\0');
  char* out = bytes.data();
  for (Index l = 0; l < values.rows(); ++l) {
    const bool vanishes = (values.row(l).array().cast<T>() == T{0}).all();
    if (vanishes && !values.row(l).isZero(0)) {
      throw InvalidArgument(
          "the pooled values are so small that all are 0 in f4; use --dtype f8 or --l2");
    }
    for (Index d = 0; d < values.cols(); ++d, out += sizeof(T)) {
      // Compared after rounding: the doubles just above the largest float round down to it.
      const T value = static_cast<T>(values(l, d));
      if (!std::isfinite(value)) {
        throw InvalidArgument(fmt::format("the pooled value {} at {} is beyond the range of {}",
                                          values(l, d), d,
                                          sizeof(T) == 4 ? "f4; use --dtype f8" : "f8"));
      }
      std::memcpy(out, &value, sizeof(T));
    }
  }
  return bytes;
}

void CheckParent(const std::string& path) {
  if (path.empty() || path == "-") return;
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty() && !std::filesystem::is_directory(parent)) {
    throw IoError(fmt::format("cannot write '{}': there is no folder '{}'", path, parent.string()));
  }
}

}  // namespace

BagOutput MakeOutput(const PooledBag& bag, OutputType type) {
  return {bag.phi.cols(),
          type == OutputType::kF4 ? Convert<float>(bag.phi) : Convert<double>(bag.phi),
          bag.weights};
}

void FileBatch::Add(const std::string& path, std::string_view bytes) {
  files_.push_back(std::make_unique<AtomicFile>(path));
  files_.back()->Write(bytes);
}

void FileBatch::Commit() {
  for (const std::unique_ptr<AtomicFile>& file : files_) file->Commit();
}

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
  const std::string bytes = Convert<double>(weights);
  return NpyBytes({"", shape, ElementType::kFloat64, bytes});
}

std::vector<Index> OutputShape(Index bags, const PoolJob& job, Index dimension) {
  std::vector<Index> shape{dimension};
  if (job.lambdas.size() != 1) shape.insert(shape.begin(), static_cast<Index>(job.lambdas.size()));
  if (bags != 0) shape.insert(shape.begin(), bags);
  return shape;
}

ElementType ElementTypeOf(OutputType type) {
  return type == OutputType::kF4 ? ElementType::kFloat32 : ElementType::kFloat64;
}

}  // namespace alcedo::cli
