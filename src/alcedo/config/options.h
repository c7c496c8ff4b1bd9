// The choices of the pipeline that no single stage owns.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/pool.h"
#include "alcedo/projection/pca.h"

namespace alcedo {

enum class VocabularyKind { kGmm, kKMeans, kDictionary, kFourier };
template <>
struct EnumNames<VocabularyKind> {
  static constexpr std::array<std::pair<VocabularyKind, std::string_view>, 4> values{
      {{VocabularyKind::kGmm, "gmm"},
       {VocabularyKind::kKMeans, "kmeans"},
       {VocabularyKind::kDictionary, "dictionary"},
       {VocabularyKind::kFourier, "fourier"}}};
};

// Of EMK.
struct FourierOptions {
  int outputs = 2048;  // D; the paper's 2,048 (section 5.3)
  double sigma = 0;    // bandwidth; 0: the median distance between descriptors
};
template <class Visitor>
void VisitFields(FourierOptions& o, Visitor&& visit) {
  visit("outputs", o.outputs, "random projections, the dimension of EMK");
  visit("sigma", o.sigma, "bandwidth of the kernel; 0: the median distance between descriptors");
}

enum class EncoderKind { kAuto, kBov, kSoftBov, kLlc, kSparse, kVlad, kSuperVector, kFisher, kEmk };
template <>
struct EnumNames<EncoderKind> {
  static constexpr std::array<std::pair<EncoderKind, std::string_view>, 9> values{
      {{EncoderKind::kAuto, "auto"},
       {EncoderKind::kBov, "bov"},
       {EncoderKind::kSoftBov, "soft-bov"},
       {EncoderKind::kLlc, "llc"},
       {EncoderKind::kSparse, "sparse"},
       {EncoderKind::kVlad, "vlad"},
       {EncoderKind::kSuperVector, "sv"},
       {EncoderKind::kFisher, "fv"},
       {EncoderKind::kEmk, "emk"}}};
};

// The poolings that need nothing but the encodings (all but weighted).
enum class PoolingKind { kSum, kMean, kMax, kLp, kSoftmax, kGmp, kDemocratic };
template <>
struct EnumNames<PoolingKind> {
  static constexpr std::array<std::pair<PoolingKind, std::string_view>, 7> values{
      {{PoolingKind::kSum, "sum"},
       {PoolingKind::kMean, "mean"},
       {PoolingKind::kMax, "max"},
       {PoolingKind::kLp, "lp"},
       {PoolingKind::kSoftmax, "softmax"},
       {PoolingKind::kGmp, "gmp"},
       {PoolingKind::kDemocratic, "democratic"}}};
};

enum class ValueType { kFloat32, kFloat64 };
template <>
struct EnumNames<ValueType> {
  static constexpr std::array<std::pair<ValueType, std::string_view>, 2> values{
      {{ValueType::kFloat32, "f4"}, {ValueType::kFloat64, "f8"}}};
};

}  // namespace alcedo
