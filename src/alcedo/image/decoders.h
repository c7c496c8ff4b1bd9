// One function per format. Each refuses, as a FormatError, what is not whole, and keeps the limits
// of its source's options.
#pragma once

#include "alcedo/image/image.h"
#include "alcedo/image/picture_source.h"

namespace alcedo::internal {

Image ReadJpeg(const PictureSource& source);
Image ReadPng(const PictureSource& source);
Image ReadWebp(const PictureSource& source);
Image ReadGif(const PictureSource& source);
Image ReadPnm(const PictureSource& source);

}  // namespace alcedo::internal
