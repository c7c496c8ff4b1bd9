// For tests: temporary folders, and naive builders of array files that share nothing with the
// library.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace alcedo::io_testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alcedo_io_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

// Nothing is forbidden to root: drops that power for a while if the test has it.
class Unprivileged {
 public:
  Unprivileged() : was_root_(geteuid() == 0) {
    if (was_root_ && seteuid(65534) != 0) throw std::runtime_error("seteuid failed");
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (was_root_ && seteuid(0) != 0) abort();
  }

 private:
  bool was_root_;
};

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void WriteFile(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The message of the `Expected` that `action` throws; a failure if it throws anything else.
template <typename Expected, typename Action>
std::string MessageOf(const Action& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of exception: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing thrown";
  return "";
}

// The values' bytes, little-endian (tests run on such machines) or big-endian.
template <typename T>
std::string Bytes(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char element[sizeof(T)];
    std::memcpy(element, &value, sizeof(T));
    if (big_endian) std::reverse(element, element + sizeof(T));
    bytes.append(element, sizeof(T));
  }
  return bytes;
}

inline std::string Little(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  return bytes;
}

inline std::string NpyWithHeader(const std::string& header, const std::string& data,
                                 int major = 1) {
  std::string file = "\x93NUMPY";
  file.push_back(static_cast<char>(major));
  file.push_back('\0');
  return file + Little(header.size(), major == 1 ? 2 : 4) + header + data;
}

inline std::string Npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran_order = false) {
  return NpyWithHeader("{'descr': '" + descr + "', 'fortran_order': " +
                           (fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }\n",
                       data);
}

inline std::string Safetensors(const std::string& header, const std::string& data) {
  return Little(header.size(), 8) + header + data;
}

// One member of a zip; the fields after `deflate` replace the truth, or choose a rarer layout.
struct ZipSpec {
  std::string name;
  std::string content;
  bool deflate = false;
  int method = -1;
  int flags = 0;
  std::int64_t crc = -1;
  std::int64_t size = -1;
  std::int64_t compressed_size = -1;
  bool zip64 = false;            // sizes and offset in an extra field of the directory
  bool zip64_offset = false;     // the offset alone
  bool data_descriptor = false;  // sizes after the data, and zeros in the local header
  std::string local_name = {};
};

inline std::string Deflate(const std::string& content) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, content.size()), '\0');
  std::string in = content;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string Zip(const std::vector<ZipSpec>& specs, bool zip64_end = false,
                       const std::string& comment = "") {
  std::string file, directory;
  for (const ZipSpec& spec : specs) {
    const std::string data = spec.deflate ? Deflate(spec.content) : spec.content;
    const auto method =
        static_cast<std::uint64_t>(spec.method >= 0 ? spec.method : (spec.deflate ? 8 : 0));
    const auto* raw = reinterpret_cast<const Bytef*>(spec.content.data());
    const std::uint64_t crc = spec.crc >= 0 ? static_cast<std::uint64_t>(spec.crc)
                                            : crc32(0, raw, static_cast<uInt>(spec.content.size()));
    const std::uint64_t size =
        spec.size >= 0 ? static_cast<std::uint64_t>(spec.size) : spec.content.size();
    const std::uint64_t compressed =
        spec.compressed_size >= 0 ? static_cast<std::uint64_t>(spec.compressed_size) : data.size();
    const std::uint64_t offset = file.size();
    const auto flags = static_cast<std::uint64_t>(spec.flags | (spec.data_descriptor ? 8 : 0));
    const bool hidden = spec.data_descriptor;
    const std::string& local_name = spec.local_name.empty() ? spec.name : spec.local_name;
    // NumPy puts a ZIP64 field into every local header.
    const std::string local_extra =
        Little(1, 2) + Little(16, 2) + Little(size, 8) + Little(compressed, 8);
    file += Little(0x04034b50, 4) + Little(45, 2) + Little(flags, 2) + Little(method, 2) +
            Little(0, 4) + Little(hidden ? 0 : crc, 4) + Little(hidden ? 0 : 0xffffffff, 4) +
            Little(hidden ? 0 : 0xffffffff, 4) + Little(local_name.size(), 2) +
            Little(local_extra.size(), 2) + local_name + local_extra + data;
    if (hidden)
      file += Little(0x08074b50, 4) + Little(crc, 4) + Little(compressed, 4) + Little(size, 4);

    std::string extra = Little(0x5455, 2) + Little(1, 2) + "x";  // an unrelated field comes first
    if (spec.zip64) {
      extra += Little(1, 2) + Little(24, 2) + Little(size, 8) + Little(compressed, 8) +
               Little(offset, 8);
    } else if (spec.zip64_offset) {
      extra += Little(1, 2) + Little(8, 2) + Little(offset, 8);
    }
    directory += Little(0x02014b50, 4) + Little(45, 2) + Little(45, 2) + Little(flags, 2) +
                 Little(method, 2) + Little(0, 4) + Little(crc, 4) +
                 Little(spec.zip64 ? 0xffffffff : compressed, 4) +
                 Little(spec.zip64 ? 0xffffffff : size, 4) + Little(spec.name.size(), 2) +
                 Little(extra.size(), 2) + Little(0, 2) + Little(0, 8) +
                 Little(spec.zip64 || spec.zip64_offset ? 0xffffffff : offset, 4) + spec.name +
                 extra;
  }
  const std::uint64_t start = file.size();
  file += directory;
  if (zip64_end) {
    const std::uint64_t end64 = file.size();
    file += Little(0x06064b50, 4) + Little(44, 8) + Little(45, 2) + Little(45, 2) + Little(0, 8) +
            Little(specs.size(), 8) + Little(specs.size(), 8) + Little(directory.size(), 8) +
            Little(start, 8);
    file += Little(0x07064b50, 4) + Little(0, 4) + Little(end64, 8) + Little(1, 4);
  }
  const std::uint64_t count = zip64_end ? 0xffff : specs.size();
  return file + Little(0x06054b50, 4) + Little(0, 4) + Little(count, 2) + Little(count, 2) +
         Little(zip64_end ? 0xffffffff : directory.size(), 4) +
         Little(zip64_end ? 0xffffffff : start, 4) + Little(comment.size(), 2) + comment;
}

}  // namespace alcedo::io_testing
