#include "alcedo/encode/encode_descriptors.h"

#include <fmt/format.h>

#include "alcedo/base/error.h"

namespace alcedo {

Encodings EncodeDescriptors(const Representer& r, const Descriptors& descriptors, int threads,
                            EncodeReport* report) {
  if (descriptors.values.cols() != r.descriptor_dimension) {
    throw InvalidArgument(fmt::format("descriptors have {} dimensions, the vocabulary {}",
                                      descriptors.values.cols(), r.descriptor_dimension));
  }
  if (!r.pca) return Encode(r.encoder, descriptors.values, threads, report);
  return Encode(r.encoder, Project(*r.pca, descriptors.values, threads), threads, report);
}

}  // namespace alcedo
