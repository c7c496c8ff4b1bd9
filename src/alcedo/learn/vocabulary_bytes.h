// The file form of a vocabulary (docs/formats.md), and of one that is a part of a model.
#pragma once

#include <string>
#include <vector>

#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo::internal {

NamedVocabulary ParseVocabulary(std::string bytes, const std::string& name);

// The arrays and the header of a vocabulary, their names behind `prefix`. The vocabulary must live
// as long as the arrays are used.
void AppendVocabulary(const Vocabulary& vocabulary, const std::string& prefix,
                      std::vector<ArrayToWrite>& arrays, Metadata& metadata);

// What AppendVocabulary() wrote. FormatError for anything else.
Vocabulary LoadVocabulary(const ArrayReader& reader, const std::string& prefix);

}  // namespace alcedo::internal
