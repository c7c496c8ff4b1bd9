// From a vocabulary and a config to an encoder, a pyramid and a pooling.
#include <fmt/format.h>

#include "alcedo/encode/represent.h"

namespace alcedo {
namespace {

// The streams of random numbers that a seed has for different purposes.
constexpr std::uint64_t kEmkStream = 1;

EncoderKind DefaultEncoder(VocabularyKind kind) {
  switch (kind) {
    case VocabularyKind::kGmm:
      return EncoderKind::kFisher;
    case VocabularyKind::kKMeans:
      return EncoderKind::kVlad;
    case VocabularyKind::kDictionary:
      return EncoderKind::kSparse;
    case VocabularyKind::kFourier:
      return EncoderKind::kEmk;
  }
  return EncoderKind::kFisher;
}

template <class Words>
const Words& Need(const Vocabulary& v, EncoderKind encoder, VocabularyKind kind) {
  const Words* words = std::get_if<Words>(&v.words);
  if (words == nullptr) {
    throw InvalidArgument(
        fmt::format("encoder {} needs a vocabulary of kind {}, this one is {}; learn one with "
                    "--kind {}",
                    Name(encoder), Name(kind), Name(v.kind()), Name(kind)));
  }
  return *words;
}

Codebook CodebookOf(const Vocabulary& v, EncoderKind encoder) {
  if (const auto* mixture = std::get_if<GaussianMixture>(&v.words)) {
    return {mixture->means, mixture->weights};
  }
  return Need<Codebook>(v, encoder, VocabularyKind::kKMeans);
}

RandomFourier FourierOf(const Vocabulary& v, EncodeConfig& config) {
  if (const auto* fourier = std::get_if<RandomFourier>(&v.words)) {
    config.emk.outputs = static_cast<int>(fourier->size());
    config.emk.sigma = fourier->sigma;
    return *fourier;
  }
  if (config.emk.sigma == 0) {
    config.emk.sigma = v.training.median_distance > 0 ? v.training.median_distance : 1;
  }
  Rng rng = Rng::ForItem(config.seed, kEmkStream);
  return DrawRandomFourier(config.emk.outputs, v.dimension(), config.emk.sigma, rng);
}

// Also fills in what the config leaves open, so that outputs can state it.
Encoder MakeEncoder(const Vocabulary& v, EncodeConfig& config) {
  const EncoderKind kind = config.encoder;
  switch (kind) {
    case EncoderKind::kAuto:
      break;
    case EncoderKind::kBov:
      return BovEncoder{CodebookOf(v, kind)};
    case EncoderKind::kSoftBov:
      return SoftBovEncoder{CodebookOf(v, kind), config.soft_bov};
    case EncoderKind::kLlc:
      return LlcEncoder{CodebookOf(v, kind), config.llc};
    case EncoderKind::kSparse:
      return SparseCodingEncoder{Need<Dictionary>(v, kind, VocabularyKind::kDictionary),
                                 config.sparse};
    case EncoderKind::kVlad:
      return VladEncoder{CodebookOf(v, kind), config.vlad, v.vlad_rotations};
    case EncoderKind::kSuperVector:
      return SuperVectorEncoder{CodebookOf(v, kind), config.super_vector};
    case EncoderKind::kFisher:
      return FisherEncoder{Need<GaussianMixture>(v, kind, VocabularyKind::kGmm), config.fisher};
    case EncoderKind::kEmk:
      return EmkEncoder{FourierOf(v, config)};
  }
  throw InvalidArgument("no encoder was chosen");
}

PoolingOptions MakePooling(const EncodeConfig& config) {
  switch (config.pooling) {
    case PoolingKind::kSum:
      return SumOptions{};
    case PoolingKind::kMean:
      return MeanOptions{};
    case PoolingKind::kMax:
      return MaxOptions{};
    case PoolingKind::kLp:
      return config.lp;
    case PoolingKind::kSoftmax:
      return config.softmax;
    case PoolingKind::kGmp:
      return config.gmp;
    case PoolingKind::kDemocratic:
      return config.democratic;
  }
  throw InvalidArgument("no pooling was chosen");
}

void CheckGaussians(const Vocabulary& v, const EncodeConfig& config) {
  if (config.gaussians == 0) return;
  const Index size = Need<GaussianMixture>(v, EncoderKind::kFisher, VocabularyKind::kGmm).size();
  if (size != config.gaussians) {
    throw InvalidArgument(
        fmt::format("gaussians is {}, but the vocabulary {} has {}; learn one with --gaussians {}",
                    config.gaussians, config.vocabulary, size, config.gaussians));
  }
}

}  // namespace

Representer MakeRepresenter(const Vocabulary& vocabulary, const EncodeConfig& config) {
  Representer r;
  r.config = config;
  EncodeConfig& c = r.config;
  Require(c.power >= 0 && c.power <= 1, "power", "in [0, 1]", c.power);
  if (c.describe.descriptor != vocabulary.config.describe.descriptor) {
    throw InvalidArgument(fmt::format("descriptor is {}, but the vocabulary {} was learned from {}",
                                      Name(c.describe.descriptor), c.vocabulary,
                                      Name(vocabulary.config.describe.descriptor)));
  }
  CheckGaussians(vocabulary, c);
  if (c.encoder == EncoderKind::kAuto) c.encoder = DefaultEncoder(vocabulary.kind());
  if (c.pooling == PoolingKind::kGmp) {
    if (c.lambdas.empty()) {
      c.lambdas = {1};
      c.gmp.relative = true;
    }
    for (const double lambda : c.lambdas) {
      Require(lambda >= 0 && std::isfinite(lambda), "lambda", ">= 0 and finite", lambda);
    }
  } else if (!c.lambdas.empty()) {
    throw InvalidArgument(
        fmt::format("lambda goes with pooling gmp, not with {}", Name(c.pooling)));
  }
  r.descriptor_dimension = vocabulary.descriptor_dimension;
  r.pca = vocabulary.pca;
  r.encoder = MakeEncoder(vocabulary, c);
  CheckEncoder(r.encoder);
  r.pyramid = ParsePyramid(c.pyramid);
  r.pooling = MakePooling(c);
  return r;
}

}  // namespace alcedo
