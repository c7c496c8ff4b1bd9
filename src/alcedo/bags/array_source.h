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

#include "alcedo/bags/bag_job.h"
#include "alcedo/bags/open_arrays.h"
#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/io/array_reader.h"

namespace alcedo {

// An array file, or one in memory: standard input, read once and kept.
struct ArrayFile {
  Input input;
  std::shared_ptr<const ArrayReader> in_memory;

  std::shared_ptr<const ArrayReader> Open(OpenArrays& open) const;
};

// The index of the array called `name`, or of the only one.
std::size_t FindOrOnly(const ArrayReader& reader, const std::string& name);

// The file that goes with `input` in `companion`, which is a file itself or a folder of files named
// like the inputs; nothing if the folder has none.
std::optional<std::string> FindCompanion(const std::string& companion, const ArrayFile& file);
// The same; throws FormatError if there is none.
std::string CompanionFile(const std::string& companion, const ArrayFile& file);

struct LoadedArray {
  Rows values;
  Matrix doubles;          // in place of values
  bool is_double = false;  // for an array of float64
  Index num_rows = 0;
  Index entries_per_row = 0;         // 0: plain rows
  std::vector<std::int32_t> blocks;  // entries_per_row for each row; -1: no entry
  Vector weights;                    // of weighted pooling

  // The rows [begin, end) as encodings, which this array must outlive.
  Encodings Encode(Index begin, Index end, Index num_blocks) const;

 private:
  template <class Array>
  Encodings Encode(const Array& all, Index begin, Index end, Index num_blocks) const;
};

class ArraySource {
 public:
  // `inputs` must outlive the source. `open` opens the file, and those that go with it. `info` is
  // what the file said when the bags were planned.
  ArraySource(const BagInputs& inputs, std::shared_ptr<OpenArrays> open, ArrayFile file,
              ArrayInfo info);

  const ArrayFile& file() const { return file_; }
  // Whether a pooled vector of this length can be one of this array, by its header.
  bool MayPoolTo(Index dimension) const;

  // Says that one more bag will call Take().
  void Expect() { ++expected_; }
  // The array, for one bag. The same error for every bag if it cannot be read.
  std::shared_ptr<const LoadedArray> Take();

 private:
  std::shared_ptr<const LoadedArray> Load() const;
  void LoadBlocks(LoadedArray& array) const;
  void LoadWeights(LoadedArray& array) const;

  const BagInputs& inputs_;
  const std::shared_ptr<OpenArrays> open_;
  ArrayFile file_;
  ArrayInfo info_;
  std::mutex mutex_;
  Index expected_ = 0;
  std::shared_ptr<const LoadedArray> loaded_;
  std::exception_ptr error_;
};

}  // namespace alcedo
