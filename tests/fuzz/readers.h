// Every kind of file that the library reads, in one table: what the mutation campaign and the
// libFuzzer targets share. A reader is added here and nowhere else.
#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/error.h"

namespace alcedo::fuzz {

struct Reader {
  std::string name;
  std::function<std::vector<std::string>()> samples;  // valid: read() is true of each
  // True if the bytes were read, false if one of our own errors refused them. Any other exception
  // leaves it: a bug.
  std::function<bool(const std::string& bytes)> read;
  // The memory that reading may take: so much for each byte of the file, and so much always.
  std::ptrdiff_t per_byte = 16;
  std::ptrdiff_t fixed = 1 << 20;
};

// In the order of the table of results.
const std::vector<Reader>& Readers();
// Null if there is no such reader.
const Reader* FindReader(std::string_view name);

// What came out of a file is not what the library promises.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

template <class Values>
void ExpectFinite(const Values& values, const char* what) {
  for (const auto& value : values) {
    if (!std::isfinite(static_cast<double>(value))) {
      throw BrokenPromise(std::string(what) + " is not finite");
    }
  }
}

// Rows, vectors and matrices.
template <class Array>
void ExpectFiniteArray(const Array& array, const char* what) {
  for (std::ptrdiff_t i = 0; i < array.size(); ++i) {
    if (!std::isfinite(static_cast<double>(array.data()[i]))) {
      throw BrokenPromise(std::string(what) + " is not finite");
    }
  }
}

template <class Action>
bool Succeeds(const Action& action) {
  try {
    action();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// A folder for the files of this process, which is its working directory from then on and ends
// with it. Names in files are then relative, and a case is the same wherever it is replayed.
const std::filesystem::path& Scratch();

// Writes the file unless it has these bytes already; makes its folder.
void PutFile(const std::string& name, const std::string& bytes);

// Several files as one: what a fuzzer can change. Each begins with a line "=== NAME".
using Bundle = std::map<std::string, std::string>;
std::string Join(const Bundle& files);
// Writes those that `known` names too; others are left as they are in `known`. Returns what there
// is then.
Bundle Split(const std::string& bytes, const Bundle& known);

// Safetensors with a right length of the header and a right checksum, if the bytes can have them.
std::string Sealed(std::string bytes);

namespace internal {
void AddArrayReaders(std::vector<Reader>& readers);
void AddImageReaders(std::vector<Reader>& readers);
void AddDatasetReaders(std::vector<Reader>& readers);
void AddTextReaders(std::vector<Reader>& readers);
void AddStoreReaders(std::vector<Reader>& readers);
void AddLearnedReaders(std::vector<Reader>& readers);
void AddAccumulatorReaders(std::vector<Reader>& readers);
}  // namespace internal

}  // namespace alcedo::fuzz
