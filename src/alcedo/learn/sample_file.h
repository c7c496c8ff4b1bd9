// Samples on the disk: rows of floats one after the other, little-endian, without a header. What a
// row means and how many there are is written elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "alcedo/base/sample_source.h"
#include "alcedo/io/checksummed_file.h"

namespace alcedo::internal {

// A file that grows at its end and can be cut back to a size that is known to be good. Every
// failure is an IoError that names the file.
class AppendFile {
 public:
  // Opens or makes the file and cuts it to `size` bytes. A file that is shorter, or whose first
  // `size` bytes do not have this hash (unless it is empty), is a FormatError: something was lost
  // that the caller relies on.
  AppendFile(const std::filesystem::path& path, std::int64_t size, const std::string& hash = "");
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  void Append(std::string_view bytes);
  void Append(const float* values, Index count);
  // Returns when all bytes are on the disk.
  void Sync();

  std::int64_t size() const { return size_; }
  // Of all its bytes, as ContentHash() gives it.
  std::string hash() const { return hash_.Get(); }

 private:
  std::filesystem::path path_;
  std::int64_t size_;
  RunningHash hash_;
  int descriptor_ = -1;
};

// Reads rows x dimension floats of the file where they are asked for. The file stays open as long
// as a copy of the source lives. A file of another size is a FormatError.
SampleSource OpenSampleFile(const std::filesystem::path& path, Index rows, Index dimension);

}  // namespace alcedo::internal
