// The file form of a vocabulary (docs/formats.md).
#pragma once

#include <string>

#include "alcedo/pipeline/vocabulary.h"

namespace alcedo::internal {

NamedVocabulary ParseVocabulary(std::string bytes, const std::string& name);

}  // namespace alcedo::internal
