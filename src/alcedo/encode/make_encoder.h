// An encoder from a vocabulary.
#pragma once

#include <cstdint>
#include <string_view>

#include "alcedo/encoding/encoders.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo {

// The words of the vocabulary, encoded as the options say. `auto` becomes fv for a mixture, vlad
// for a codebook, sparse for a dictionary and emk for random Fourier features; BOV, LLC, VLAD and
// Super Vector also take a mixture: its means are the codewords and its weights theirs. EMK takes
// any vocabulary: unless that is one of kind fourier, its frequencies are drawn from the seed, for
// the projected descriptors, with the median distance of the training samples for a sigma of 0.
// What was left open is filled in, so that outputs can state it.
//
// InvalidArgument for a vocabulary of another kind than the encoder needs.
Encoder MakeEncoder(const Vocabulary& vocabulary, EncoderOptions& options, std::uint64_t seed);

// That error: `encoder` needs a vocabulary of kind `kind`, and this is another.
[[noreturn]] void ThrowOtherKind(std::string_view encoder, std::string_view kind,
                                 const Vocabulary& vocabulary);

}  // namespace alcedo
