// The bytes of a .mat file in order, from memory or inflated as they are asked for.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace alcedo::internal {

// Throws a FormatError with the advice to get the file again.
[[noreturn]] void FailMat(const std::string& file, const std::string& reason);

// Holds nothing of what it has given: a compressed gigabyte costs only the part that the caller
// keeps. Whatever is not there, or does not inflate, is a FormatError.
class MatStream {
 public:
  enum class Storage { kPlain, kCompressed };

  // `bytes` must outlive the stream.
  MatStream(std::string_view bytes, Storage storage, bool big_endian, std::string file);

  const std::string& file() const { return file_; }
  bool big_endian() const { return big_endian_; }
  std::uint64_t position() const { return position_; }  // in the inflated bytes

  void Read(std::span<char> out);
  void Skip(std::uint64_t count);
  std::uint32_t Word();

  // Whether nothing follows. Of compressed bytes also: the checksum is right, and none are left.
  bool AtEnd();

 private:
  struct EndInflate {
    void operator()(z_stream* stream) const;
  };

  // As many bytes as there are, up to the size of `out`.
  std::size_t Fill(std::span<char> out);

  std::string_view plain_;  // what is left of bytes that are not compressed
  std::unique_ptr<z_stream, EndInflate> inflate_;
  bool inflate_ended_ = false;
  bool big_endian_;
  std::uint64_t position_ = 0;
  std::string file_;
};

}  // namespace alcedo::internal
