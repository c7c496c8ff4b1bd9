// VLFeat, as Debian builds it: without SIMD. On one thread.
#pragma once

#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"
#include "alcedo/vocabulary/gaussian_mixture.h"

namespace alcedo::bench {

inline const std::string kVlfeatNote = "Debian's VLFeat is built without SIMD";

// vl_dsift with a flat window, on images that were scaled and filters that were made beforehand.
class VlfeatSift {
 public:
  VlfeatSift(const Image& image, const GridOptions& options);
  ~VlfeatSift();
  VlfeatSift(const VlfeatSift&) = delete;
  VlfeatSift& operator=(const VlfeatSift&) = delete;

  void Run();
  Index NumDescriptors() const;  // of the last run

 private:
  std::vector<Image> scaled_;
  std::vector<void*> filters_;
};

// vl_gmm_em from this mixture, `iterations` of it. It ends with one more expectation, so that one
// iteration is the difference of two calls. The mean log-likelihood.
double VlfeatEm(const GaussianMixture& mixture, const Rows& rows, int iterations);

// vl_fisher_encode in its order [u v], averaged over rows; `fast` is its flag for hard assignment.
std::vector<float> VlfeatFisher(const GaussianMixture& mixture, const Rows& rows, bool fast);

}  // namespace alcedo::bench
