// A vocabulary: what was learned from a collection, in one file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/config/config.h"

namespace alcedo {

// Where a vocabulary comes from.
struct TrainingRecord {
  std::int64_t images = 0;      // that samples were drawn from
  std::int64_t bad_images = 0;  // that could not be read
  std::int64_t samples = 0;     // descriptors that it was learned from
  std::string inputs_hash;      // of the names and contents of all images, in order
  double median_distance = 0;   // between pairs of (projected) samples: EMK's first guess of sigma
  double objective = 0;         // mean log-likelihood, squared error, ... of the last iteration
  int iterations = 0;
  bool converged = false;
  std::string version;  // of the program
};

struct Vocabulary {
  LearnConfig config;
  TrainingRecord training;
  Index descriptor_dimension = 0;  // before PCA
  std::optional<Pca> pca;
  std::variant<GaussianMixture, Codebook, Dictionary, RandomFourier> words;
  Rows vlad_rotations;  // see VladEncoder; empty if not learned

  // Of what the words are made for: after PCA.
  Index dimension() const;
  // What it is, as LearnConfig::kind calls it: "gmm".
  const Label& kind() const { return VocabularyOptions::kLabels[words.index()]; }
};

// One safetensors file with a JSON header (docs/formats.md). The same vocabulary gives the same
// bytes, and the bytes the same vocabulary, bit for bit.
std::string VocabularyBytes(const Vocabulary& vocabulary);

// Larger files are refused before they are read: a mixture of 65,536 Gaussians of 2,048 dimensions
// is smaller.
inline constexpr std::int64_t kMaxVocabularyBytes = std::int64_t{2} << 30;

// FormatError naming the file if it is not a vocabulary, is of a newer version, was truncated or
// corrupted (the checksum covers header and arrays), or does not fit together.
Vocabulary ReadVocabulary(const std::filesystem::path& path);
Vocabulary ReadVocabularyBytes(std::string bytes, const std::string& name);

// Those that come with the library: "sift" and "color" (PCA to 64, 256 Gaussians).
std::vector<std::string> BuiltinVocabularyNames();
std::string_view BuiltinVocabularyBytes(std::string_view name);

// A builtin name, or a file. A file of the same name as a builtin one needs a path ("./sift"). Also
// gives the checksum that the file carries: what tells vocabularies apart.
struct NamedVocabulary {
  Vocabulary vocabulary;
  std::string checksum;
};
NamedVocabulary OpenVocabulary(const std::string& name_or_path);

}  // namespace alcedo
