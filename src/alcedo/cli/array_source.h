// One array of an input file with what belongs to it, loaded when its first bag is pooled and let
// go after its last: at most as many arrays are in memory as there are threads.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/cli/pool_job.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/io/array_reader.h"

namespace alcedo::cli {

// An input file, or standard input: read once, and kept.
struct InputFile {
  std::string path;  // "-" for standard input
  std::shared_ptr<const ArrayReader> standard_input;

  std::string label() const { return path == "-" ? "standard input" : path; }
  std::shared_ptr<const ArrayReader> Open() const;
};

// The index of the array called `name`, or of the only one where there is only one.
std::size_t FindOrOnly(const ArrayReader& reader, const std::string& name);

// The file that goes with `input` in `companion`, which is a file itself or a folder of files named
// like the inputs; nothing where the folder has none.
std::optional<std::string> FindCompanion(const std::string& companion, const InputFile& input);
// The same; throws InvalidArgument where there is none.
std::string CompanionFile(const std::string& companion, const InputFile& input);

struct LoadedArray {
  Rows values;
  Index num_rows = 0;
  Index entries_per_row = 0;         // 0: plain rows
  std::vector<std::int32_t> blocks;  // entries_per_row for each row; -1: no entry
  Vector weights;                    // of weighted pooling

  // The rows [begin, end) as encodings, which this array must outlive.
  Encodings Encode(Index begin, Index end, Index num_blocks) const;
};

class ArraySource {
 public:
  // `job` must outlive the source. `info` is what the file said when the bags were planned.
  ArraySource(const PoolJob& job, InputFile file, ArrayInfo info);

  const InputFile& file() const { return file_; }
  // Whether a pooled vector of this length can be one of this array, as far as its header says.
  bool MayPoolTo(Index dimension) const;

  // Says that one more bag will call Take().
  void Expect() { ++expected_; }
  // The array, for one bag. The same error for every bag where it cannot be read.
  std::shared_ptr<const LoadedArray> Take();

 private:
  std::shared_ptr<const LoadedArray> Load() const;
  void LoadBlocks(LoadedArray& array) const;
  void LoadWeights(LoadedArray& array) const;

  const PoolJob& job_;
  InputFile file_;
  ArrayInfo info_;
  std::mutex mutex_;
  Index expected_ = 0;
  std::shared_ptr<const LoadedArray> loaded_;
  std::exception_ptr error_;
};

}  // namespace alcedo::cli
