// Collections of small pictures, made on the spot.
#pragma once

#include <map>
#include <string>

#include "process.h"

namespace end_to_end {

// The bytes of a picture with waves and noise in it; every seed gives another one.
std::string Pgm(int width, int height, unsigned seed);
std::string Ppm(int width, int height, unsigned seed);
std::string Png(int width, int height, unsigned seed);
// 16 x 16, grey.
std::string TinyJpeg();

// `count` pictures of this size, FOLDER/p0000.pgm and so on.
void MakePictures(const std::string& folder, int count, int size);

// Options of `learn` that take a moment, and a vocabulary of 4 Gaussians of 6 dimensions.
Args SmallLearn(const std::string& inputs, const std::string& output);

// All files below a folder by their path in it.
std::map<std::string, std::string> FilesBelow(const std::string& folder);

Args operator+(Args a, const Args& b);

}  // namespace end_to_end
