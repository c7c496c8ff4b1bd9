// Average precision, the measure of PASCAL VOC (section 5.1 of the paper).
//
// Targets are +1, -1, and 0 for images that are left out ("difficult" in VOC): a list with such
// images has the measure of the list without them. Equal scores are one threshold: precision and
// recall are taken after all images of that score. That is also what the worst order of a tie
// would give (its negatives first), and it does not depend on the order of the input.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "alcedo/base/options.h"
#include "alcedo/base/types.h"

namespace alcedo {

// Both use the interpolated precision: at a recall, the best precision at that recall or a higher
// one. kVoc11 is its mean at the recalls 0, 0.1, ..., 1 (the devkit of 2007), kArea the area under
// it (the devkits from 2010 on).
enum class ApRule { kVoc11, kArea };
template <>
struct EnumNames<ApRule> {
  static constexpr std::array<std::pair<ApRule, std::string_view>, 2> values = {
      {{ApRule::kVoc11, "voc11"}, {ApRule::kArea, "area"}}};
};

// Images x classes, each +1, -1 or 0.
using TargetMatrix = OwnedArray<std::int8_t, 2>;

// In [0, 1]; 1 if every positive is above every negative. Without a positive it is 0. Recalls
// are compared exactly, in integers. Requires as many targets as scores; a score that is NaN is an
// InvalidArgument that names its row, infinite ones are in order.
double AveragePrecision(std::span<const double> scores, std::span<const std::int8_t> targets,
                        ApRule rule);

// The average precision of every column; 0 for a class without a positive.
Vector AveragePrecisions(const MatrixView& scores, const TargetMatrix& targets, ApRule rule);

// The mean over the classes that have a positive; 0 if none has.
double MeanAveragePrecision(const MatrixView& scores, const TargetMatrix& targets, ApRule rule);

}  // namespace alcedo
