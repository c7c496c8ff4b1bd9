// The encodings of the paper: phi(x) of one descriptor. An encoder is a value: a vocabulary and
// options. Encoding gives one row per descriptor, in the blocks that the encoding has by nature.
#pragma once

#include <memory>
#include <variant>

#include "alcedo/base/choice.h"
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

namespace encoding {
class Prepared;
}

// A closed set: a new member is a compile error wherever it must be handled.
using Encoder = std::variant<BovEncoder, SoftBovEncoder, LlcEncoder, SparseCodingEncoder,
                             VladEncoder, SuperVectorEncoder, FisherEncoder, EmkEncoder>;

// Lets the vocabulary choose: fv for a Gaussian mixture, vlad for k-means, sparse for a dictionary,
// emk for random Fourier features.
struct AutoEncoderOptions {
  static constexpr Label kLabel{.name = "auto", .title = "auto"};
};
// What an encoder is asked to be; with a vocabulary it becomes an Encoder.
using EncoderOptions =
    Choice<AutoEncoderOptions, BovOptions, SoftBovOptions, LlcOptions, SparseCodingOptions,
           VladOptions, SuperVectorOptions, FisherOptions, EmkOptions>;

// An encoder that was checked once, with the tables that depend on the vocabulary alone: for the
// descriptors of many images. Immutable, used by any number of threads at once; copies share the
// tables.
class PreparedEncoder {
 public:
  // Throws what CheckEncoder() throws. `threads` is for the tables alone, and changes none of them.
  explicit PreparedEncoder(Encoder encoder, int threads = 1);

  // One row per descriptor. No descriptors give encodings of no rows. Requires descriptors of the
  // encoder's dimension, finite (a bad value is named by row and column). A descriptor so far away
  // that its encoding leaves the range of float is an InvalidArgument that names its row. The same
  // for any number of threads.
  Encodings Encode(const RowsView& descriptors, int threads = 1,
                   EncodeReport* report = nullptr) const;

  const Encoder& encoder() const { return *encoder_; }
  // The size of the space the encodings live in, and of the descriptors they take.
  Index dimension() const;
  Index descriptor_dimension() const;

 private:
  friend Encodings Encode(const Encoder&, const RowsView&, int, EncodeReport*);
  PreparedEncoder(std::shared_ptr<const Encoder> encoder, int threads);

  std::shared_ptr<const Encoder> encoder_;
  std::shared_ptr<const encoding::Prepared> prepared_;  // borrows *encoder_
};

// The same bytes without a preparation, for one set of descriptors.
Encodings Encode(const Encoder& encoder, const RowsView& descriptors, int threads = 1,
                 EncodeReport* report = nullptr);

// Throws InvalidArgument on options out of range and vocabularies that are not valid.
void CheckEncoder(const Encoder& encoder);

// The size of the space the encodings live in, and of the descriptors they take.
Index EncodedDimension(const Encoder& encoder);
Index DescriptorDimension(const Encoder& encoder);

}  // namespace alcedo
