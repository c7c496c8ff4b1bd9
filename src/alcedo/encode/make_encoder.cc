#include "alcedo/encode/make_encoder.h"

#include <fmt/format.h>

#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo {
namespace {

// The streams of random numbers that a seed has for different purposes.
constexpr std::uint64_t kEmkStream = 1;

// What the vocabulary decides if the encoder is left to it.
void ChooseEncoder(const GaussianMixture&, EncoderOptions& encoder) {
  encoder.Choose<FisherOptions>();
}
void ChooseEncoder(const Codebook&, EncoderOptions& encoder) { encoder.Choose<VladOptions>(); }
void ChooseEncoder(const Dictionary&, EncoderOptions& encoder) {
  encoder.Choose<SparseCodingOptions>();
}
void ChooseEncoder(const RandomFourier&, EncoderOptions& encoder) { encoder.Choose<EmkOptions>(); }

template <class Model>
const Model& Need(const Vocabulary& v, std::string_view encoder, std::string_view kind) {
  const Model* model = std::get_if<Model>(&v.words);
  if (model == nullptr) ThrowOtherKind(encoder, kind, v);
  return *model;
}

Codebook CodebookOf(const Vocabulary& v, std::string_view encoder) {
  if (const auto* mixture = std::get_if<GaussianMixture>(&v.words)) {
    return {mixture->means, mixture->weights};
  }
  return Need<Codebook>(v, encoder, KMeansOptions::kLabel.name);
}

// An encoder of each kind of options.
Encoder Make(const Vocabulary&, AutoEncoderOptions&, std::uint64_t) {
  throw InvalidArgument("encoder", "must be chosen", "auto");
}
Encoder Make(const Vocabulary& v, BovOptions& o, std::uint64_t) {
  return BovEncoder{CodebookOf(v, o.kLabel.name)};
}
Encoder Make(const Vocabulary& v, SoftBovOptions& o, std::uint64_t) {
  return SoftBovEncoder{CodebookOf(v, o.kLabel.name), o};
}
Encoder Make(const Vocabulary& v, LlcOptions& o, std::uint64_t) {
  return LlcEncoder{CodebookOf(v, o.kLabel.name), o};
}
Encoder Make(const Vocabulary& v, SparseCodingOptions& o, std::uint64_t) {
  return SparseCodingEncoder{Need<Dictionary>(v, o.kLabel.name, DictionaryOptions::kLabel.name), o};
}
Encoder Make(const Vocabulary& v, VladOptions& o, std::uint64_t) {
  return VladEncoder{CodebookOf(v, o.kLabel.name), o, v.vlad_rotations};
}
Encoder Make(const Vocabulary& v, SuperVectorOptions& o, std::uint64_t) {
  return SuperVectorEncoder{CodebookOf(v, o.kLabel.name), o};
}
Encoder Make(const Vocabulary& v, FisherOptions& o, std::uint64_t) {
  return FisherEncoder{Need<GaussianMixture>(v, o.kLabel.name, GmmOptions::kLabel.name), o};
}
Encoder Make(const Vocabulary& v, EmkOptions& o, std::uint64_t seed) {
  if (const auto* fourier = std::get_if<RandomFourier>(&v.words)) {
    o.outputs = static_cast<int>(fourier->size());
    o.sigma = fourier->sigma;
    return EmkEncoder{*fourier};
  }
  if (o.sigma == 0) o.sigma = v.training.median_distance > 0 ? v.training.median_distance : 1;
  Rng rng = Rng::ForItem(seed, kEmkStream);
  return EmkEncoder{DrawRandomFourier(o.outputs, v.dimension(), o.sigma, rng)};
}

}  // namespace

void ThrowOtherKind(std::string_view encoder, std::string_view kind, const Vocabulary& vocabulary) {
  throw InvalidArgument("encoder", fmt::format("{} needs a vocabulary of kind {}", encoder, kind),
                        fmt::format("one of kind {}", vocabulary.kind().name),
                        {"learn a vocabulary with", "kind", std::string(kind)});
}

Encoder MakeEncoder(const Vocabulary& vocabulary, EncoderOptions& options, std::uint64_t seed) {
  if (options.Is<AutoEncoderOptions>()) {
    std::visit([&](const auto& model) { ChooseEncoder(model, options); }, vocabulary.words);
  }
  return options.Visit([&]<class Options>(const Options&) {
    return Make(vocabulary, options.Get<Options>(), seed);
  });
}

}  // namespace alcedo
