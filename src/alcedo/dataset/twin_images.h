// Test images that are also images to train on: what they score says nothing about new images.
#pragma once

#include <string>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/dataset/image_hashes.h"

namespace alcedo {

// A test image and an image that is not for testing, of the same bytes; numbers of dataset.images.
struct TwinImage {
  Index test, other;
  bool operator==(const TwinImage&) const = default;
};

// In the order of the test images, each with the first of its equals. Images that cannot be read
// have none.
std::vector<TwinImage> TwinImages(const Dataset& dataset, const ImageHashes& hashes);

// One sentence that says how many there are and names the first ones; "" if there are none.
std::string TwinImagesNote(const Dataset& dataset, const std::vector<TwinImage>& twins);

}  // namespace alcedo
