#include "alcedo/descriptors/shared_image.h"

#include <utility>

#include "alcedo/image/read_image.h"
#include "alcedo/io/array_reader.h"

namespace alcedo {

SharedImage::SharedImage(std::string_view bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)), arrays_(LooksLikeArrays(bytes)) {}

Descriptors SharedImage::Describe(const Describer& describer, int threads) {
  const DescribeOptions& options = describer.options();
  // Arrays are not decoded, and what is wrong with a file is said there.
  if (arrays_ || bytes_.empty() || options.descriptor.Is<ExternalOptions>()) {
    return describer.FromBytes(bytes_, name_, threads, &report_);
  }
  if (!image_ || !(read_as_ == options.image)) {
    image_ = ReadImageBytes(bytes_, name_, options.image);
    read_as_ = options.image;
  }
  report_ = {image_->original_width, image_->original_height, image_->width, image_->height};
  return describer.FromImage(*image_, threads);
}

}  // namespace alcedo
