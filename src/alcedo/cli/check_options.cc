#include "alcedo/cli/check_options.h"

#include <fmt/format.h>

#include "alcedo/base/error.h"
#include "alcedo/image/write_image.h"
#include "alcedo/descriptors/describe.h"

namespace alcedo::cli {

void CheckDescribeOptions(const DescribeOptions& options) {
  // The stages check their options themselves: they are given a pixel.
  const Image pixel = MakeImage(1, 1, 1);
  ReadImageBytes(PnmBytes(pixel), "a picture", options.image);
  if (options.descriptor == DescriptorKind::kExternal) return;
  DescribeImage(pixel, options);
  // Pictures of up to 1% more than the limit are kept as they are.
  const double most = 1.01 * options.image.max_pixels, patch = options.grid.patch;
  if (options.image.max_pixels > 0 && most < patch * patch) {
    throw InvalidArgument(fmt::format(
        "no picture of at most {} pixels (--max-pixels) has room for a patch of {} x {} (--patch)",
        options.image.max_pixels, patch, patch));
  }
}

}  // namespace alcedo::cli
