// From the bytes of one input to its descriptors: a picture, or an array of anybody's descriptors.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "alcedo/base/options.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/descriptors/descriptors.h"
#include "alcedo/image/read_image.h"

namespace alcedo {

enum class DescriptorKind { kSift, kColor, kExternal };
template <>
struct EnumNames<DescriptorKind> {
  static constexpr std::array<std::pair<DescriptorKind, std::string_view>, 3> values{
      {{DescriptorKind::kSift, "sift"},
       {DescriptorKind::kColor, "color"},
       {DescriptorKind::kExternal, "external"}}};
};

// From a picture to descriptors.
struct DescribeOptions {
  DescriptorKind descriptor = DescriptorKind::kSift;
  ImageOptions image;
  GridOptions grid;
  SiftOptions sift;  // its grid is not used: the one above is
};

// What became of a picture on the way.
struct DescribeReport {
  int original_width = 0, original_height = 0;  // 0 for arrays
  int width = 0, height = 0;                    // that descriptors were computed on
};

// `bytes` are a whole file, `name` stands for it in messages.
//
// A picture gives the descriptors that `options` say. An array file (.npy, .npz, .safetensors)
// needs options.descriptor = external: N x d floating point (a ViT's tokens 1 x N x d too), called
// "descriptors" where a file holds several arrays. Positions are optional: an array "positions" of
// N x 2 (x, y) or N x 3 (x, y, size), in pixels of an image whose size is the array "image_size"
// (width, height), or relative, in [0, 1], where there is no such array.
Descriptors Describe(std::string bytes, const std::string& name, const DescribeOptions& options,
                     int threads = 1, DescribeReport* report = nullptr);

// The descriptors of a picture in memory.
Descriptors DescribeImage(const Image& image, const DescribeOptions& options, int threads = 1);

}  // namespace alcedo
