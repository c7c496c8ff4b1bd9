// The encodings of the paper: phi(x) of one descriptor. An encoder is a value: a vocabulary and
// options. Encode() gives one row per descriptor, in the blocks that the encoding has by nature.
#pragma once

#include <variant>

#include "alcedo/base/types.h"
#include "alcedo/encoding/bov.h"
#include "alcedo/encoding/emk.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/encoding/fisher.h"
#include "alcedo/encoding/llc.h"
#include "alcedo/encoding/sparse_coding.h"
#include "alcedo/encoding/super_vector.h"
#include "alcedo/encoding/vlad.h"

namespace alcedo {

// A closed set: a new member is a compile error wherever it must be handled.
using Encoder = std::variant<BovEncoder, SoftBovEncoder, LlcEncoder, SparseCodingEncoder,
                             VladEncoder, SuperVectorEncoder, FisherEncoder, EmkEncoder>;

// One row per descriptor. No descriptors give encodings of no rows. Requires descriptors of the
// encoder's dimension, finite (a bad value is named by row and column). A descriptor so far away
// that its encoding leaves the range of float is an InvalidArgument that names its row. The same
// for any number of threads.
Encodings Encode(const Encoder& encoder, const RowsView& descriptors, int threads = 1,
                 EncodeReport* report = nullptr);

// Throws InvalidArgument on options out of range and vocabularies that are not valid. Encode() does
// it too.
void CheckEncoder(const Encoder& encoder);

// The size of the space the encodings live in, and of the descriptors they take.
Index EncodedDimension(const Encoder& encoder);
Index DescriptorDimension(const Encoder& encoder);

}  // namespace alcedo
