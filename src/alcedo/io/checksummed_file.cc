#include "alcedo/io/checksummed_file.h"

#include <xxhash.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <new>
#include <span>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {
namespace {

std::string Digits(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string ContentHash(std::string_view bytes) {
  return Digits(XXH3_128bits(bytes.data(), bytes.size()));
}

struct RunningHash::State {
  State() : xxh(XXH3_createState()) {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(xxh); }

  XXH3_state_t* xxh;
};

RunningHash::RunningHash() : state_(std::make_unique<State>()) {}
RunningHash::RunningHash(RunningHash&&) noexcept = default;
RunningHash& RunningHash::operator=(RunningHash&&) noexcept = default;
RunningHash::~RunningHash() = default;

void RunningHash::Add(std::string_view bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

void RunningHash::AddFile(const std::filesystem::path& file, std::int64_t count) {
  constexpr std::size_t kChunk = std::size_t{1} << 18;
  internal::FileDescriptor descriptor(file);
  std::vector<char> chunk(kChunk);
  const bool all = count < 0;
  while (all || count > 0) {
    const std::size_t most =
        all ? kChunk : static_cast<std::size_t>(std::min<std::int64_t>(kChunk, count));
    const std::size_t read = descriptor.Read(std::span(chunk.data(), most));
    if (read == 0) break;
    Add({chunk.data(), read});
    count -= static_cast<std::int64_t>(read);
  }
  if (!all && count > 0) {
    throw FormatError(file.string(), fmt::format("lacks {} of its bytes", count));
  }
}

std::string RunningHash::Get() const { return Digits(XXH3_128bits_digest(state_->xxh)); }

std::string FileHash(const std::filesystem::path& file) {
  RunningHash hash;
  hash.AddFile(file);
  return hash.Get();
}

std::int64_t ShortContentHash(std::string_view bytes) {
  return std::bit_cast<std::int64_t>(XXH3_128bits(bytes.data(), bytes.size()).low64);
}

std::int64_t ShortHashOf(std::string_view content_hash) {
  std::uint64_t low = 0;
  const std::string_view digits = content_hash.substr(content_hash.size() / 2);
  std::from_chars(digits.data(), digits.data() + digits.size(), low, 16);
  return std::bit_cast<std::int64_t>(low);
}

}  // namespace alcedo

namespace alcedo::internal {
namespace {

// The place of the checksum's 32 digits in the header.
std::size_t FindChecksum(const std::string& bytes, std::string_view checksum) {
  const std::string pattern = fmt::format("\"checksum\":\"{}\"", checksum);
  const std::size_t at = bytes.find(pattern);
  return at == std::string::npos ? at : at + pattern.size() - checksum.size() - 1;
}

// A file of ours that was given in the place of another deserves more than "is not a vocabulary".
std::string WhatElse(std::string_view format) {
  for (const SealedFormat& known : {kVocabularyFormat, kModelFormat}) {
    if (known.format == format) return fmt::format("is a {}, not", known.noun);
  }
  return "is not";
}

}  // namespace

std::string Seal(std::string bytes) {
  bytes.replace(FindChecksum(bytes, kNoChecksum), kNoChecksum.size(), ContentHash(bytes));
  return bytes;
}

void CheckSeal(std::string& bytes, const std::string& checksum, const std::string& name) {
  const std::size_t at = FindChecksum(bytes, checksum);
  if (at != std::string::npos && checksum.size() == kNoChecksum.size()) {
    bytes.replace(at, kNoChecksum.size(), kNoChecksum);
    const bool good = ContentHash(bytes) == checksum;
    bytes.replace(at, checksum.size(), checksum);
    if (good) return;
  }
  throw FormatError(name, "is damaged: its checksum is wrong; get it or make it again");
}

void CheckArrays(std::string_view bytes, const SealedFormat& format, const std::string& name) {
  if (LooksLikeArrays(bytes)) return;
  throw FormatError(name, fmt::format("is not a {}", format.noun),
                    Hint{std::string(format.advice), "", ""});
}

std::string ReadSealedFile(const std::filesystem::path& path, std::int64_t max_bytes,
                           const SealedFormat& format) {
  ReadLimit limit{.max_bytes = max_bytes};
  limit.check = [&](std::string_view first) { CheckArrays(first, format, path.string()); };
  return ReadFileBytes(path, limit);
}

void CheckFormat(const Metadata& metadata, const SealedFormat& format, const std::string& name) {
  const auto found = metadata.find("format");
  if (found == metadata.end() || found->second != format.format) {
    throw FormatError(
        name,
        fmt::format("{} a {}", WhatElse(found == metadata.end() ? "" : found->second), format.noun),
        Hint{std::string(format.advice), "", ""});
  }
  const std::string& text = Required(metadata, "format_version", name);
  int version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  if (version < 1 || version > format.version) {
    throw FormatError(name,
                      fmt::format("is a {} of format version {}; versions up to {} can be read",
                                  format.noun, text, format.version));
  }
}

const std::string& Required(const Metadata& metadata, const std::string& key,
                            const std::string& name) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) {
    throw FormatError(name, fmt::format("the header has no '{}'", key));
  }
  return found->second;
}

}  // namespace alcedo::internal
