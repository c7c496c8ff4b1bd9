// One file for several descriptors: it is decoded once for all that read images in the same way.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "alcedo/descriptors/describe.h"
#include "alcedo/image/image.h"

namespace alcedo {

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
