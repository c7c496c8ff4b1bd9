// A vocabulary and an encoder, ready for the descriptors of many images.
#pragma once

#include <optional>
#include <string>

#include "alcedo/encoding/encoders.h"
#include "alcedo/projection/pca.h"

namespace alcedo::python {

struct BagEncoder {
  std::string name;  // of the encoder: "fv"
  std::optional<Pca> pca;
  PreparedEncoder encoder;

  Index descriptor_dimension() const {
    return pca ? pca->input_dimension() : encoder.descriptor_dimension();
  }
  Encodings Encode(const RowsView& descriptors, int threads) const {
    if (!pca) return encoder.Encode(descriptors, threads);
    return encoder.Encode(Project(*pca, descriptors, threads), threads);
  }
};

}  // namespace alcedo::python
