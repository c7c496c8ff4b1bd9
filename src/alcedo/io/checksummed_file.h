// Hashes of contents, and what vocabularies and models have in common as files: safetensors whose
// header says what they are, and a checksum of every byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace alcedo {

// 32 hexadecimal digits.
std::string ContentHash(std::string_view bytes);

// The same of bytes that come in parts, and of those that came so far.
class RunningHash {
 public:
  RunningHash();
  RunningHash(RunningHash&&) noexcept;
  RunningHash& operator=(RunningHash&&) noexcept;
  ~RunningHash();

  void Add(std::string_view bytes);
  // Adds the first `count` bytes of a file from its beginning on; all if it is negative. IoError if
  // they cannot be read, FormatError if there are fewer.
  void AddFile(const std::filesystem::path& file, std::int64_t count = -1);
  std::string Get() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of a whole file, without holding it in memory.
std::string FileHash(const std::filesystem::path& file);

// The last 16 digits of ContentHash() as a number, for lists of many hashes. One that is wrong by
// chance (in a million files once in ten million times) does no harm there.
std::int64_t ShortContentHash(std::string_view bytes);
// The same from the 32 digits of ContentHash(). Requires such digits.
std::int64_t ShortHashOf(std::string_view content_hash);

}  // namespace alcedo

namespace alcedo::internal {

using Metadata = std::map<std::string, std::string>;

// Stands in the header while the hash is computed: Seal() puts the hash into its place.
inline constexpr std::string_view kNoChecksum = "00000000000000000000000000000000";
std::string Seal(std::string bytes);

// FormatError if the bytes are not those that were sealed. They are as before when it returns.
void CheckSeal(std::string& bytes, const std::string& checksum, const std::string& name);

// A kind of file: what its header calls it, what people call it, and where it comes from.
struct SealedFormat {
  std::string_view format;  // "alcedo-vocabulary"
  std::string_view noun;    // "vocabulary"
  std::string_view advice;  // how to get one: the hint of an error
  int version;              // the newest one that is read
};
inline constexpr SealedFormat kVocabularyFormat{"alcedo-vocabulary", "vocabulary",
                                                "learn one, or take sift or color", 1};
inline constexpr SealedFormat kModelFormat{"alcedo-model", "model", "train one", 1};

// FormatError if the bytes are not even those of an array file: an image, say.
void CheckArrays(std::string_view bytes, const SealedFormat& format, const std::string& name);

// All of such a file. What is not even an array file is refused by its first bytes, so that nothing
// else is read to its end; one of more than `max_bytes` too.
std::string ReadSealedFile(const std::filesystem::path& path, std::int64_t max_bytes,
                           const SealedFormat& format);

// FormatError if the header is that of something else, or of a newer version.
void CheckFormat(const Metadata& metadata, const SealedFormat& format, const std::string& name);

// FormatError if there is none.
const std::string& Required(const Metadata& metadata, const std::string& key,
                            const std::string& name);

}  // namespace alcedo::internal
