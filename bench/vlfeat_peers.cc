#include "vlfeat_peers.h"

#include <memory>

#include "alcedo/base/types.h"
#include "alcedo/image/resize.h"

extern "C" {
#include <vl/dsift.h>
#include <vl/fisher.h>
#include <vl/gmm.h>
}

namespace alcedo::bench {

VlfeatSift::VlfeatSift(const Image& image, const GridOptions& options) {
  const Image gray = ToGray(image);
  const PatchGrid grid = MakePatchGrid(image, options);
  const int bin = grid.patch / 4;
  for (const GridLevel& level : grid.levels) {
    scaled_.push_back(ShrinkByArea(gray, level.width, level.height));
    VlDsiftFilter* filter = vl_dsift_new_basic(level.width, level.height, grid.step, bin);
    vl_dsift_set_flat_window(filter, 1);
    // So that its patches are ours: its bounds are those of the centres of cells.
    vl_dsift_set_bounds(filter, (bin - 1) / 2, (bin - 1) / 2, level.width - 1 - bin / 2,
                        level.height - 1 - bin / 2);
    filters_.push_back(filter);
  }
}

VlfeatSift::~VlfeatSift() {
  for (void* filter : filters_) vl_dsift_delete(static_cast<VlDsiftFilter*>(filter));
}

void VlfeatSift::Run() {
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    vl_dsift_process(static_cast<VlDsiftFilter*>(filters_[i]), scaled_[i].Plane(0));
  }
}

Index VlfeatSift::NumDescriptors() const {
  Index count = 0;
  for (void* filter : filters_) {
    count += vl_dsift_get_keypoint_num(static_cast<VlDsiftFilter*>(filter));
  }
  return count;
}

double VlfeatEm(const GaussianMixture& mixture, const Rows& rows, int iterations) {
  vl_set_num_threads(1);
  const std::unique_ptr<VlGMM, void (*)(VlGMM*)> gmm(
      vl_gmm_new(VL_TYPE_FLOAT, mixture.dimension(), mixture.size()), vl_gmm_delete);
  const Eigen::VectorXf weights = mixture.weights.cast<float>();
  vl_gmm_set_means(gmm.get(), mixture.means.data());
  vl_gmm_set_covariances(gmm.get(), mixture.variances.data());
  vl_gmm_set_priors(gmm.get(), weights.data());
  vl_gmm_set_max_num_iterations(gmm.get(), iterations);
  return vl_gmm_em(gmm.get(), rows.data(), rows.rows()) / static_cast<double>(rows.rows());
}

std::vector<float> VlfeatFisher(const GaussianMixture& mixture, const Rows& rows, bool fast) {
  vl_set_num_threads(1);
  const Eigen::VectorXf weights = mixture.weights.cast<float>();
  std::vector<float> encoding(2 * mixture.size() * mixture.dimension());
  vl_fisher_encode(encoding.data(), VL_TYPE_FLOAT, mixture.means.data(), mixture.dimension(),
                   mixture.size(), mixture.variances.data(), weights.data(), rows.data(),
                   rows.rows(), fast ? VL_FISHER_FLAG_FAST : 0);
  return encoding;
}

}  // namespace alcedo::bench
