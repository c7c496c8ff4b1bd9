// From the bytes of one input to its descriptors: a picture, or an array of anybody's descriptors.
#pragma once

#include <string>

#include "alcedo/descriptors/descriptors.h"
#include "alcedo/pipeline/options.h"

namespace alcedo {

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

// True where the first bytes are those of an array file that can be read.
bool LooksLikeArrays(std::string_view first_bytes);

}  // namespace alcedo
