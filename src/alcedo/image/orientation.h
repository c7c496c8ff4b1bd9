// EXIF orientation.
#pragma once

#include <string_view>

#include "alcedo/image/image.h"

namespace alcedo::internal {

// The orientation, 1 to 8, in EXIF data (with or without the "Exif\0\0" of JPEG before it); 1,
// which is upright, if they have none or cannot be read: a camera's notes are no part of the
// image.
int ExifOrientation(std::string_view exif);

// Turns an image that is stored with this orientation upright, and its original size with it.
void TurnUpright(int orientation, Image& image);

}  // namespace alcedo::internal
