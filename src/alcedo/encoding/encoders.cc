#include "alcedo/encoding/encoders.h"

#include <memory>
#include <utility>
#include <variant>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"

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

PreparedEncoder::PreparedEncoder(Encoder encoder, int threads)
    : PreparedEncoder(std::make_shared<const Encoder>(std::move(encoder)), threads) {}

PreparedEncoder::PreparedEncoder(std::shared_ptr<const Encoder> encoder, int threads)
    : encoder_(std::move(encoder)) {
  Require(threads >= 1, "threads", ">= 1", threads);
  CheckEncoder(*encoder_);
  prepared_ = std::visit([&](const auto& e) { return encoding::Prepare(e, threads); }, *encoder_);
}

Encodings PreparedEncoder::Encode(const RowsView& descriptors, int threads,
                                  EncodeReport* report) const {
  Require(threads >= 1, "threads", ">= 1", threads);
  const encoding::InputRows rows(descriptors, descriptor_dimension());
  EncodeReport own_report;
  Encodings encodings = prepared_->Encode(rows, threads, own_report);
  if (report != nullptr) *report = own_report;
  return encodings;
}

Index PreparedEncoder::dimension() const { return EncodedDimension(*encoder_); }
Index PreparedEncoder::descriptor_dimension() const { return DescriptorDimension(*encoder_); }

Encodings Encode(const Encoder& encoder, const RowsView& descriptors, int threads,
                 EncodeReport* report) {
  // Borrowed: what is prepared does not outlive this call.
  const std::shared_ptr<const Encoder> borrowed(std::shared_ptr<const Encoder>(), &encoder);
  return PreparedEncoder(borrowed, threads).Encode(descriptors, threads, report);
}

void CheckEncoder(const Encoder& encoder) {
  std::visit([](const auto& e) { encoding::Check(e); }, encoder);
}

Index EncodedDimension(const Encoder& encoder) { return DimensionsOfAny(encoder).encoded; }
Index DescriptorDimension(const Encoder& encoder) { return DimensionsOfAny(encoder).descriptor; }

}  // namespace alcedo
