// Runs `alcedo encode`.
#pragma once

#include <string>

#include "alcedo/cli/encode_arguments.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/encode/represent.h"

namespace alcedo::cli {

// Encodes all images and writes the output. Gives kOk, kSomeSkipped, or kFailed where no image was
// good; everything else is thrown.
int RunEncode(const EncodeJob& job, const Representer& representer, const std::string& checksum,
              ImageList images);

}  // namespace alcedo::cli
