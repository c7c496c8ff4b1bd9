// From the descriptors of one image to its encodings: what is pooled, or weighed.
#pragma once

#include "alcedo/encode/represent.h"

namespace alcedo {

// Projected and encoded as the representer says. Requires at least one descriptor; InvalidArgument
// where they have another dimension than those of the vocabulary.
Encodings EncodeDescriptors(const Representer& representer, const Descriptors& descriptors,
                            int threads = 1, EncodeReport* report = nullptr);

}  // namespace alcedo
