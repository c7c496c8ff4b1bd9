// Shares and extremes of weight maps, for people and for programs.
#pragma once

#include <span>
#include <string>

#include "alcedo/weights/weigh_image.h"

namespace alcedo {

// What the shares of many images have in common, for one lambda: over those that have them.
struct MeanShares {
  Index images = 0;
  double area = 0, equal = 0, positive = 0, absolute = 0;
  Index above_equal = 0;  // images with a larger positive share than equal weights give
};
MeanShares MeanOf(std::span<const ImageWeights> images, std::size_t lambda);

// All take the images without files and panels; bad ones are left out, or named as such in JSON.
std::string WeightsText(const EncodeConfig& config, std::span<const ImageWeights> images);
std::string WeightsCsv(const EncodeConfig& config, std::span<const ImageWeights> images);
std::string WeightsJson(const EncodeConfig& config, MapRule map,
                        const std::string& vocabulary_checksum,
                        std::span<const ImageWeights> images);

}  // namespace alcedo
