#include "alcedo/io/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/element.h"

namespace alcedo::internal {
namespace {

// The central directory at the end of a zip. Local headers are consulted only to find the bytes: a
// writer to a pipe leaves their sizes zero, and NumPy fills them with ZIP64 placeholders.

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::uint64_t kLocalSize = 30;
constexpr std::uint64_t kCentralSize = 46;
constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kEnd64Size = 56;
constexpr std::uint64_t kLocator64Size = 20;
constexpr std::uint32_t kIn64 = 0xffffffff;  // "see the ZIP64 field"
constexpr std::uint16_t kEncryptedFlag = 1;
constexpr int kStored = 0;
constexpr int kDeflated = 8;

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

Place MemberPlace(const ByteSource& source, const ZipMember& member) {
  return {source.name(), fmt::format("member {}", Quote(member.name))};
}

[[noreturn]] void Fail(const ByteSource& source, std::string_view what) {
  throw FormatError(source.name(), std::string(what));
}

// The end record is the last thing in the file, but for a comment whose length it gives.
std::uint64_t FindEndRecord(const ByteSource& source) {
  const std::uint64_t tail_size = std::min<std::uint64_t>(source.size(), kEndSize + 0xffff);
  const std::uint64_t tail_offset = source.size() - tail_size;
  const std::string tail = source.ReadString(tail_offset, tail_size);
  for (std::uint64_t i = tail_size; i >= kEndSize; --i) {
    const char* record = tail.data() + (i - kEndSize);
    const std::uint64_t comment = tail_size - i;
    if (LoadLittle<std::uint32_t>(record) == kEndSignature &&
        LoadLittle<std::uint16_t>(record + 20) == comment) {
      return tail_offset + i - kEndSize;
    }
  }
  Fail(source, "is truncated: the zip has no central directory at its end");
}

Directory ReadEnd64(const ByteSource& source, std::uint64_t end) {
  if (end < kLocator64Size) Fail(source, "the zip's ZIP64 locator is missing");
  const std::string locator = source.ReadString(end - kLocator64Size, kLocator64Size);
  if (LoadLittle<std::uint32_t>(locator.data()) != kLocator64Signature) {
    Fail(source, "the zip's ZIP64 locator is missing");
  }
  const std::string record =
      source.ReadString(LoadLittle<std::uint64_t>(locator.data() + 8), kEnd64Size);
  if (LoadLittle<std::uint32_t>(record.data()) != kEnd64Signature) {
    Fail(source, "the zip's ZIP64 end record is not where its locator says");
  }
  return {LoadLittle<std::uint64_t>(record.data() + 32),
          LoadLittle<std::uint64_t>(record.data() + 40),
          LoadLittle<std::uint64_t>(record.data() + 48)};
}

Directory FindDirectory(const ByteSource& source) {
  const std::uint64_t end = FindEndRecord(source);
  const std::string record = source.ReadString(end, kEndSize);
  if (LoadLittle<std::uint32_t>(record.data() + 4) != 0) {  // this disk, and the directory's
    Fail(source, "the zip is split over several disks, which is not supported");
  }
  Directory directory = {LoadLittle<std::uint16_t>(record.data() + 10),
                         LoadLittle<std::uint32_t>(record.data() + 12),
                         LoadLittle<std::uint32_t>(record.data() + 16)};
  if (directory.entries == 0xffff || directory.size == kIn64 || directory.offset == kIn64) {
    directory = ReadEnd64(source, end);
  }
  if (directory.offset > end || directory.size > end - directory.offset ||
      directory.entries > directory.size / kCentralSize) {
    Fail(source, fmt::format("the zip's central directory ({} entries, {} bytes from byte {} on) "
                             "does not fit the file of {} bytes",
                             directory.entries, directory.size, directory.offset, source.size()));
  }
  return directory;
}

// A directory entry; `member.offset` is still the local header's.
struct Entry {
  ZipMember member;
  int flags = 0;
  int method = 0;
};

// The ZIP64 field holds, in this order, only those values whose short field says so.
void Apply64(std::string_view extra, const Place& where, ZipMember& member) {
  ByteCursor fields(extra, where, "the zip's extra field");
  while (!fields.AtEnd()) {
    const auto id = fields.Get<std::uint16_t>();
    const auto size = fields.Get<std::uint16_t>();
    ByteCursor values(fields.Take(size), where, "the zip's ZIP64 field");
    if (id != 1) continue;
    for (std::uint64_t* value : {&member.size, &member.compressed_size, &member.offset}) {
      if (*value == kIn64) *value = values.Get<std::uint64_t>();
    }
    return;
  }
}

Entry ParseEntry(ByteCursor& directory, const std::string& file) {
  if (directory.Get<std::uint32_t>() != kCentralSignature) {
    throw FormatError(file, "the zip's central directory is damaged");
  }
  directory.Skip(4);  // versions
  Entry entry;
  entry.flags = directory.Get<std::uint16_t>();
  entry.method = directory.Get<std::uint16_t>();
  directory.Skip(4);  // time and date
  entry.member.crc = directory.Get<std::uint32_t>();
  entry.member.compressed_size = directory.Get<std::uint32_t>();
  entry.member.size = directory.Get<std::uint32_t>();
  const auto name_size = directory.Get<std::uint16_t>();
  const auto extra_size = directory.Get<std::uint16_t>();
  const auto comment_size = directory.Get<std::uint16_t>();
  directory.Skip(8);  // disk and attributes
  entry.member.offset = directory.Get<std::uint32_t>();
  entry.member.name = directory.Take(name_size);
  Apply64(directory.Take(extra_size), Place{file}, entry.member);
  directory.Skip(comment_size);
  return entry;
}

void CheckReadable(const Entry& entry, const Place& where) {
  if ((entry.flags & kEncryptedFlag) != 0) {
    where.Fail("is encrypted, which is not supported; save it without a password");
  }
  if (entry.method != kStored && entry.method != kDeflated) {
    where.Fail(
        fmt::format("is compressed by method {}, which is not supported; save it "
                    "with numpy.savez or numpy.savez_compressed",
                    entry.method));
  }
  const ZipMember& member = entry.member;
  if (entry.method == kStored && member.size != member.compressed_size) {
    where.Fail(fmt::format("is not compressed, yet the zip gives two sizes, {} and {}", member.size,
                           member.compressed_size));
  }
}

// Replaces the offset of the local header by that of the data behind it.
void Locate(const ByteSource& source, std::uint64_t data_end, const Place& where,
            ZipMember& member) {
  if (member.offset > data_end || data_end - member.offset < kLocalSize) {
    where.Fail("its place in the zip lies outside of the file");
  }
  const std::string header = source.ReadString(member.offset, kLocalSize);
  const std::uint64_t name_size = LoadLittle<std::uint16_t>(header.data() + 26);
  const std::uint64_t extra_size = LoadLittle<std::uint16_t>(header.data() + 28);
  if (LoadLittle<std::uint32_t>(header.data()) != kLocalSignature ||
      name_size != member.name.size() ||
      source.ReadString(member.offset + kLocalSize, name_size) != member.name) {
    where.Fail("the zip's directory points to something else");
  }
  member.offset += kLocalSize + name_size + extra_size;
  if (member.offset > data_end || member.compressed_size > data_end - member.offset) {
    where.Fail(fmt::format("the zip claims {} bytes for it, more than the file has",
                           member.compressed_size));
  }
}

// Deflate cannot do better than 258 bytes for two bits.
void CheckRatio(const ZipMember& member, const Place& where) {
  if (member.deflated && member.size / 1032 > member.compressed_size) {
    where.Fail(fmt::format("the zip claims {} bytes out of {}, more than deflate can hold",
                           member.size, member.compressed_size));
  }
}

void RefuseOverlaps(const ByteSource& source, const std::vector<ZipMember>& members) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  ranges.reserve(members.size());
  for (const ZipMember& member : members) {
    ranges.emplace_back(member.offset, member.offset + member.compressed_size);
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) Fail(source, "members of the zip overlap");
  }
}

// The compressed bytes of a member.

constexpr std::uint64_t kChunk = 1 << 16;

[[noreturn]] void Fail(const ByteSource& source, const ZipMember& member, std::string_view what) {
  MemberPlace(source, member).Fail(what);
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

  // Appends up to `limit` bytes, fewer only if the data ends.
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

std::vector<ZipMember> ReadZipMembers(const ByteSource& source, std::string_view suffix) {
  const Directory directory = FindDirectory(source);
  const std::string bytes = source.ReadString(directory.offset, directory.size);
  ByteCursor cursor(bytes, Place{source.name()}, "the zip's central directory");
  std::vector<ZipMember> members;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    Entry entry = ParseEntry(cursor, source.name());
    if (!entry.member.name.ends_with(suffix)) continue;
    const Place where = MemberPlace(source, entry.member);
    CheckReadable(entry, where);
    entry.member.deflated = entry.method == kDeflated;
    Locate(source, directory.offset, where, entry.member);
    CheckRatio(entry.member, where);
    members.push_back(std::move(entry.member));
  }
  RefuseOverlaps(source, members);
  return members;
}

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
