// From the bytes of one input to its descriptors: an image, or an array of anybody's descriptors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "alcedo/base/choice.h"
#include "alcedo/descriptors/color_statistics.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/descriptors/descriptors.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"
#include "alcedo/image/read_image.h"

namespace alcedo {

// Descriptors that somebody else computed, in array files.
struct ExternalOptions {
  static constexpr Label kLabel{.name = "external", .title = "external descriptors"};

  friend bool operator==(const ExternalOptions&, const ExternalOptions&) = default;
};

// The list of all descriptors. A new one has its options here and an overload in describe.cc.
using DescriptorChoice = Choice<SiftOptions, ColorOptions, ExternalOptions>;

// From an image to descriptors.
struct DescribeOptions {
  DescriptorChoice descriptor;
  ImageOptions image;
  GridOptions grid;

  friend bool operator==(const DescribeOptions&, const DescribeOptions&) = default;
};

// Throws InvalidArgument on options out of range. External descriptors have none.
void Check(const DescribeOptions& options);

// What became of an image on the way.
struct DescribeReport {
  int original_width = 0, original_height = 0;  // 0 for arrays
  int width = 0, height = 0;                    // that descriptors were computed on
};

// Options made ready for many images. Immutable: all threads may share one.
class Describer {
 public:
  // Checks the options.
  explicit Describer(DescribeOptions options = {});

  const DescribeOptions& options() const { return options_; }

  Descriptors FromImage(const Image& image, int threads = 1) const;

  // `bytes` are a whole file, `name` stands for it in messages.
  //
  // An image gives the descriptors that the options say. An array file (.npy, .npz, .safetensors)
  // needs descriptor external: N x d floating point (a ViT's tokens 1 x N x d too), called
  // "descriptors" if a file holds several arrays. Positions are optional: an array "positions" of
  // N x 2 (x, y) or N x 3 (x, y, size), in pixels of an image whose size is the array "image_size"
  // (width, height), or relative, in [0, 1], without such an array.
  //
  // What is wrong with the file is a FormatError.
  Descriptors FromBytes(std::string_view bytes, const std::string& name, int threads = 1,
                        DescribeReport* report = nullptr) const;

 private:
  DescribeOptions options_;
};

// One file for several descriptors: it is decoded once for all that read images in the same way.
class SharedImage {
 public:
  // `bytes` are a whole file, which must outlive the object; `name` stands for it in messages.
  SharedImage(std::string_view bytes, std::string name);

  // What describer.FromBytes() gives.
  Descriptors Describe(const Describer& describer, int threads = 1);

  // Of the last image that was described.
  const DescribeReport& report() const { return report_; }

 private:
  std::string_view bytes_;
  std::string name_;
  bool arrays_;
  std::optional<Image> image_;
  ImageOptions read_as_;
  DescribeReport report_;
};

}  // namespace alcedo
