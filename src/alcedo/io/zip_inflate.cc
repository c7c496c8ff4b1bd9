#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "alcedo/base/error.h"
#include "alcedo/io/array_table.h"
#include "alcedo/io/zip.h"

namespace alcedo::internal {
namespace {

constexpr std::uint64_t kChunk = 1 << 16;

[[noreturn]] void Fail(const ByteSource& source, const ZipMember& member, std::string_view what) {
  throw FormatError(fmt::format("{}: member {}: {}", source.name(), Quote(member.name), what));
}

void CheckCrc(const ByteSource& source, const ZipMember& member, uLong actual) {
  if (actual != member.crc) Fail(source, member, "its checksum is wrong; the file is damaged");
}

class Inflater {
 public:
  Inflater(const ByteSource& source, const ZipMember& member) : source_(source), member_(member) {
    // Negative window bits: raw deflate, without zlib's own header.
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Appends up to `limit` bytes, fewer only where the data ends.
  void Append(std::uint64_t limit, std::string& out) {
    const std::uint64_t target = out.size() + limit;
    while (out.size() < target && !ended_) {
      // At most as much again as has really arrived.
      const std::uint64_t room =
          std::min({target - out.size(), std::max<std::uint64_t>(out.size(), kChunk), kMaxRoom});
      const std::size_t begin = out.size();
      out.resize(begin + room);
      out.resize(begin + Fill(out.data() + begin, room));
    }
  }

  // True when the compressed bytes are used up and nothing more comes out of them.
  bool Finished() {
    char extra = 0;
    return Fill(&extra, 1) == 0 && ended_ && stream_.avail_in == 0 &&
           consumed_ == member_.compressed_size;
  }

 private:
  static constexpr std::uint64_t kMaxRoom = 1 << 30;  // zlib counts in 32 bits

  std::size_t Fill(char* out, std::size_t count) {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(count);
    while (stream_.avail_out > 0 && !ended_) {
      if (stream_.avail_in == 0) Refill();
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_STREAM_END) {
        ended_ = true;
      } else if (status != Z_OK) {
        Fail(source_, member_, "its compressed data is damaged");
      }
    }
    return count - stream_.avail_out;
  }

  void Refill() {
    const std::uint64_t count = std::min(kChunk, member_.compressed_size - consumed_);
    source_.ReadAt(member_.offset + consumed_, std::span(input_).first(count));
    consumed_ += count;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
  }

  const ByteSource& source_;
  const ZipMember& member_;
  z_stream stream_{};
  std::uint64_t consumed_ = 0;
  bool ended_ = false;
  std::array<char, kChunk> input_;
};

}  // namespace

std::string ReadMemberStart(const ByteSource& source, const ZipMember& member,
                            std::uint64_t count) {
  if (!member.deflated) return source.ReadString(member.offset, std::min(count, member.size));
  std::string bytes;
  Inflater(source, member).Append(std::min(count, member.size), bytes);
  return bytes;
}

std::string InflateMember(const ByteSource& source, const ZipMember& member) {
  Inflater inflater(source, member);
  std::string bytes;
  inflater.Append(member.size, bytes);
  if (bytes.size() != member.size) {
    Fail(source, member,
         fmt::format("inflates to {} bytes, but the zip claims {}", bytes.size(), member.size));
  }
  if (!inflater.Finished()) {
    Fail(source, member,
         fmt::format("inflates to more than the {} bytes that the zip claims, or has "
                     "bytes left over",
                     member.size));
  }
  CheckCrc(source, member, crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  return bytes;
}

void CheckStoredMember(const ByteSource& source, const ZipMember& member) {
  std::array<char, kChunk> chunk;
  uLong crc = 0;
  for (std::uint64_t done = 0; done < member.size;) {
    const std::span<char> part = std::span(chunk).first(std::min(kChunk, member.size - done));
    source.ReadAt(member.offset + done, part);
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
    done += part.size();
  }
  CheckCrc(source, member, crc);
}

}  // namespace alcedo::internal
