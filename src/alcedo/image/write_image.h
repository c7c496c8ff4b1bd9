// Images to files.
#pragma once

#include <string>

#include "alcedo/image/image.h"

namespace alcedo {

// The bytes of a PNG, or of a binary PNM (PGM for grey, PPM for colour), 8 bit; values are rounded
// and clamped to 0..255. Compression is deterministic.
std::string PngBytes(const Image& image);
std::string PnmBytes(const Image& image);

}  // namespace alcedo
