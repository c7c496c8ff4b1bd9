// Photographs, and what is learned from them: descriptors and mixtures have shapes that made-up
// numbers do not.
#pragma once

#include <string>

#include "alcedo/base/types.h"
#include "alcedo/image/image.h"
#include "alcedo/projection/pca.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo::bench {

// The first photograph of 500 x 375 pixels in colour among the samples of VOC 2007 (or else of CUB)
// where they are at hand, next to the source tree; else an image with the statistics of
// photographs, made on the spot.
Image NaturalImage();
// The same as the bytes of its file: a JPEG, or a PNG where it was made on the spot.
std::string NaturalFileBytes();
// Which of the two: a note for the table.
std::string NaturalSource();

// Dense SIFT of such images after PCA.
struct NaturalDescriptors {
  Pca pca;                  // to 64 dimensions
  Rows training;            // 100,000 x 64, of several images
  Rows image;               // 10,000 x 64, of one
  GaussianMixture mixture;  // 256 Gaussians, from a few iterations of EM
};
// Made once; everything after that is the same object.
const NaturalDescriptors& Natural();

// The means of its mixture as words of equal weight: what k-means starts from, ours and the peers'.
Codebook NaturalWords();

}  // namespace alcedo::bench
