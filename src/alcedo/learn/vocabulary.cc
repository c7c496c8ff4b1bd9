#include "alcedo/learn/vocabulary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alcedo/io/checksummed_file.h"
#include "alcedo/learn/vocabulary_bytes.h"

namespace alcedo {

namespace {

NamedVocabulary OpenFile(const std::filesystem::path& path) {
  return internal::ParseVocabulary(
      internal::ReadSealedFile(path, kMaxVocabularyBytes, internal::kVocabularyFormat),
      path.string());
}

}  // namespace

Index Vocabulary::dimension() const {
  return std::visit([](const auto& w) { return w.dimension(); }, words);
}

Vocabulary ReadVocabulary(const std::filesystem::path& path) { return OpenFile(path).vocabulary; }

Vocabulary ReadVocabularyBytes(std::string bytes, const std::string& name) {
  return internal::ParseVocabulary(std::move(bytes), name).vocabulary;
}

NamedVocabulary OpenVocabulary(const std::string& name_or_path) {
  const std::vector<std::string> builtin = BuiltinVocabularyNames();
  for (const std::string& name : builtin) {
    if (name != name_or_path) continue;
    return internal::ParseVocabulary(std::string(BuiltinVocabularyBytes(name)),
                                     fmt::format("vocabulary '{}'", name));
  }
  std::error_code ignored;
  if (!std::filesystem::exists(name_or_path, ignored)) {
    throw IoError(fmt::format(
        "there is no vocabulary '{}': it is no file, and those that come with the program are {}",
        name_or_path, fmt::join(builtin, " and ")));
  }
  return OpenFile(name_or_path);
}

}  // namespace alcedo
