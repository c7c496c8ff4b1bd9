// The numbers of `alcedo weights` for people and for programs.
#pragma once

#include <span>
#include <string>

#include "alcedo/cli/weights_image.h"

namespace alcedo::cli {

// What the shares of many pictures have in common, for one lambda: over those that have them.
struct MeanShares {
  Index images = 0;
  double area = 0, equal = 0, positive = 0, absolute = 0;
  Index above_equal = 0;  // pictures with a larger positive share than equal weights give
};
MeanShares MeanOf(std::span<const WeightsOfImage> images, std::size_t lambda);

// All take the images without files and panels; bad ones are left out, or named as such in JSON.
std::string WeightsText(const EncodeConfig& config, std::span<const WeightsOfImage> images);
std::string WeightsCsv(const EncodeConfig& config, std::span<const WeightsOfImage> images);
std::string WeightsJson(const WeightsConfig& config, const std::string& vocabulary_checksum,
                        std::span<const WeightsOfImage> images);

}  // namespace alcedo::cli
