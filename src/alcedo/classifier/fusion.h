// Late fusion: the scores of several channels (SIFT and colour) as one (Sec. 5.2).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// The weighted sum of the channels' scores; without weights the plain sum, as in the paper.
// Requires at least one channel, all of one size and finite, and as many finite weights, if any.
Matrix FuseScores(std::span<const Matrix> channels, std::span<const double> weights = {});

// Weights >= 0 of sum 1 for which quality(FuseScores(channels, weights)) is largest. Among equals
// the most even ones win (the smallest sum of squares), then the first seen.
//
// Two channels: all of k / steps, and 1/2. More: from the best of the even weights and each channel
// alone, shares move between pairs of channels as long as the best such move helps; a share is
// 1 / channels at first and is halved down to 1 / (channels steps). Requires steps >= 1 and a
// quality that is never NaN.
std::vector<double> ChooseFusionWeights(std::span<const Matrix> channels,
                                        const std::function<double(const Matrix&)>& quality,
                                        int steps = 20);

}  // namespace alcedo
