// The choices of the pipeline that no single stage owns.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/options.h"
#include "alcedo/base/value_type.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/pool.h"
#include "alcedo/projection/pca.h"

namespace alcedo {

// SIFT and colour, for late fusion: the paper's choice (section 5.2).
struct BothDescriptors {
  static constexpr Label kLabel{.name = "both", .title = "SIFT and colour"};
};
template <class First, class Set>
struct Prepended;
template <class First, class... Members>
struct Prepended<First, Choice<Members...>> {
  using type = Choice<First, Members...>;
};
// One descriptor, or both.
using DescriptorSet = Prepended<BothDescriptors, DescriptorChoice>::type;
std::vector<DescriptorChoice> DescriptorsOf(const DescriptorSet& set);

// What a vocabulary can be. The first is what is learned unless another is asked for.
using VocabularyOptions = Choice<GmmOptions, KMeansOptions, DictionaryOptions, FourierOptions>;

}  // namespace alcedo
