// What vocabularies and models have in common as files: safetensors whose header says what they
// are, and a checksum of every byte.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace alcedo::internal {

using Metadata = std::map<std::string, std::string>;

// Stands in the header while the hash is computed: Seal() puts the hash into its place.
inline constexpr std::string_view kNoChecksum = "00000000000000000000000000000000";
std::string Seal(std::string bytes);

// FormatError where the bytes are not those that were sealed. They are as before when it returns.
void CheckSeal(std::string& bytes, const std::string& checksum, const std::string& name);

// A kind of file: what its header calls it, what people do, and where it comes from.
struct SealedFormat {
  std::string_view format;  // "alcedo-vocabulary"
  std::string_view noun;    // "vocabulary"
  std::string_view advice;  // "make one with 'alcedo learn', or take sift or color"
  int version;              // the newest one that is read
};
inline constexpr SealedFormat kVocabularyFormat{
    "alcedo-vocabulary", "vocabulary", "make one with 'alcedo learn', or take sift or color", 1};
inline constexpr SealedFormat kModelFormat{"alcedo-model", "model", "make one with 'alcedo train'",
                                           1};

// FormatError where the bytes are not even those of an array file: a picture, say.
void CheckArrays(std::string_view bytes, const SealedFormat& format, const std::string& name);

// FormatError where the header is that of something else, or of a newer version.
void CheckFormat(const Metadata& metadata, const SealedFormat& format, const std::string& name);

// FormatError where there is none.
const std::string& Required(const Metadata& metadata, const std::string& key,
                            const std::string& name);

}  // namespace alcedo::internal
