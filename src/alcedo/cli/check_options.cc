#include "alcedo/cli/check_options.h"

#include "alcedo/image/write_image.h"
#include "alcedo/pipeline/describe.h"

namespace alcedo::cli {

void CheckDescribeOptions(const DescribeOptions& options) {
  // The stages check their options themselves: they are given a pixel.
  const Image pixel = MakeImage(1, 1, 1);
  ReadImageBytes(PnmBytes(pixel), "a picture", options.image);
  if (options.descriptor != DescriptorKind::kExternal) DescribeImage(pixel, options);
}

}  // namespace alcedo::cli
