#include <variant>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/encoding/encoders.h"

namespace alcedo {
namespace {

struct Dimensions {
  Index descriptor, encoded;
};
Dimensions Of(const Codebook& codebook) { return {codebook.dimension(), codebook.size()}; }

Dimensions DimensionsOf(const BovEncoder& e) { return Of(e.codebook); }
Dimensions DimensionsOf(const SoftBovEncoder& e) { return Of(e.codebook); }
Dimensions DimensionsOf(const LlcEncoder& e) { return Of(e.codebook); }
Dimensions DimensionsOf(const SparseCodingEncoder& e) {
  return {e.dictionary.dimension(), e.dictionary.size()};
}
Dimensions DimensionsOf(const VladEncoder& e) {
  return {e.codebook.dimension(), e.codebook.size() * e.codebook.dimension()};
}
Dimensions DimensionsOf(const SuperVectorEncoder& e) {
  return {e.codebook.dimension(), e.codebook.size() * (e.codebook.dimension() + 1)};
}
Dimensions DimensionsOf(const FisherEncoder& e) {
  return {e.mixture.dimension(), 2 * e.mixture.size() * e.mixture.dimension()};
}
Dimensions DimensionsOf(const EmkEncoder& e) { return {e.fourier.dimension(), e.fourier.size()}; }

Dimensions DimensionsOfAny(const Encoder& encoder) {
  return std::visit([](const auto& e) { return DimensionsOf(e); }, encoder);
}

}  // namespace

Encodings Encode(const Encoder& encoder, const RowsView& descriptors, int threads,
                 EncodeReport* report) {
  Require(threads >= 1, "threads", ">= 1", threads);
  CheckEncoder(encoder);
  const encoding::InputRows rows(descriptors, DescriptorDimension(encoder));
  EncodeReport own_report;
  Encodings encodings = std::visit(
      [&](const auto& e) { return encoding::EncodeRows(e, rows, threads, own_report); }, encoder);
  if (report != nullptr) *report = own_report;
  return encodings;
}

void CheckEncoder(const Encoder& encoder) {
  std::visit([](const auto& e) { encoding::Check(e); }, encoder);
}

Index EncodedDimension(const Encoder& encoder) { return DimensionsOfAny(encoder).encoded; }
Index DescriptorDimension(const Encoder& encoder) { return DimensionsOfAny(encoder).descriptor; }

}  // namespace alcedo
