// The vocabularies of data/vocabularies, inside the library: nothing to install beside it, nothing
// to find at run time.
#include <fmt/format.h>

#include "alcedo/learn/vocabulary.h"

// The assembler copies the file between two symbols.
#define ALCEDO_EMBED(symbol, file)                                                            \
  asm(".section .rodata\n.balign 16\n" #symbol "_begin:\n.incbin \"" ALCEDO_VOCABULARY_FOLDER \
      "/" file "\"\n" #symbol "_end:\n.byte 0\n.previous\n");                                 \
  extern "C" const char symbol##_begin[];                                                     \
  extern "C" const char symbol##_end[];

ALCEDO_EMBED(alcedo_vocabulary_sift, "sift-pca64-gmm256.safetensors")
ALCEDO_EMBED(alcedo_vocabulary_color, "color-pca64-gmm256.safetensors")

namespace alcedo {

std::vector<std::string> BuiltinVocabularyNames() { return {"sift", "color"}; }

std::string_view BuiltinVocabularyBytes(std::string_view name) {
  if (name == "sift") return {alcedo_vocabulary_sift_begin, alcedo_vocabulary_sift_end};
  if (name == "color") return {alcedo_vocabulary_color_begin, alcedo_vocabulary_color_end};
  throw InvalidArgument(fmt::format("there is no vocabulary '{}' in the library", name));
}

}  // namespace alcedo
