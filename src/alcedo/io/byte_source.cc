#include "alcedo/io/byte_source.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::internal {
namespace {

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string_view bytes, std::string name)
      : ByteSource(std::move(name), bytes.size()), bytes_(bytes) {}
  MemorySource(std::string&& bytes, std::string name)
      : ByteSource(std::move(name), bytes.size()), owned_(std::move(bytes)), bytes_(owned_) {}

 private:
  void DoReadAt(std::uint64_t offset, std::span<char> out) const override {
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

  std::string owned_;
  std::string_view bytes_;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(FileDescriptor file)
      : ByteSource(file.name(), file.size()), file_(std::move(file)) {}

 private:
  void DoReadAt(std::uint64_t offset, std::span<char> out) const override {
    while (!out.empty()) {
      const std::size_t count = file_.ReadAt(offset, out);
      if (count == 0) throw IoError(name(), "became shorter while it was being read");
      offset += count;
      out = out.subspan(count);
    }
  }

  FileDescriptor file_;
};

// Not beyond the first bytes if they are not those of arrays: the pipe may have no end.
std::string ReadToEnd(FileDescriptor pipe) {
  std::string bytes;
  char chunk[1 << 16];
  while (const std::size_t count = pipe.Read(chunk)) {
    bytes.append(chunk, count);
    if (bytes.size() >= sizeof(chunk) && !LooksLikeArrays(bytes)) break;
    if (bytes.size() > static_cast<std::size_t>(kMaxPipeBytes)) {
      throw FormatError(pipe.name(), "has more than the 16 GiB that are read from a pipe");
    }
  }
  return bytes;
}

}  // namespace

void Place::Fail(std::string_view reason) const {
  throw FormatError(file, part.empty() ? std::string(reason) : fmt::format("{}: {}", part, reason));
}

std::string Quote(std::string_view name) {
  constexpr std::size_t kShown = 80;
  std::string text = "'";
  for (const char c : name.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text + (name.size() > kShown ? "...'" : "'");
}

std::unique_ptr<ByteSource> ByteSource::Open(const std::filesystem::path& path) {
  FileDescriptor file(path);
  if (file.kind() == FileDescriptor::Kind::kFile) {
    return std::make_unique<FileSource>(std::move(file));
  }
  return FromBytes(ReadToEnd(std::move(file)), path.string());
}

std::unique_ptr<ByteSource> ByteSource::FromBytes(std::string bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

std::unique_ptr<ByteSource> ByteSource::FromView(std::string_view bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

void ByteSource::CheckRange(std::uint64_t offset, std::uint64_t count) const {
  if (offset <= size_ && count <= size_ - offset) return;
  throw FormatError(name_,
                    fmt::format("is truncated: {} bytes from byte {} on are needed, but it ends "
                                "after {}",
                                count, offset, size_));
}

void ByteSource::ReadAt(std::uint64_t offset, std::span<char> out) const {
  CheckRange(offset, out.size());
  if (!out.empty()) DoReadAt(offset, out);
}

std::string ByteSource::ReadString(std::uint64_t offset, std::uint64_t count) const {
  CheckRange(offset, count);
  std::string bytes(static_cast<std::size_t>(count), '\0');
  ReadAt(offset, bytes);
  return bytes;
}

}  // namespace alcedo::internal
