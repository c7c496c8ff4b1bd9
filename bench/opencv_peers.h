// OpenCV, as Debian builds it, on one thread.
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"
#include "alcedo/projection/pca.h"

namespace alcedo::bench {

// cv::SIFT at the points of our grid, upright and with cells of our size, on images that were
// scaled to 8 bits beforehand. Its Gaussian window is its own; it does not smooth images before.
class OpenCvSift {
 public:
  OpenCvSift(const Image& image, const GridOptions& options);
  void Run();
  Rows Descriptors() const;  // of the last run, in the order of the grid

 private:
  std::vector<cv::Mat> scaled_, descriptors_;
  std::vector<std::vector<cv::KeyPoint>> points_;
};

// cv::kmeans from these labels, so many iterations of it. The mean squared distance at its end.
double OpenCvKMeans(const Rows& rows, const std::vector<int>& labels, int clusters, int iterations);

// cv::BOWImgDescriptorExtractor with a brute-force matcher: the share of every word.
class OpenCvBagOfWords {
 public:
  explicit OpenCvBagOfWords(const Rows& words);
  ~OpenCvBagOfWords();
  OpenCvBagOfWords(const OpenCvBagOfWords&) = delete;
  OpenCvBagOfWords& operator=(const OpenCvBagOfWords&) = delete;
  std::vector<float> Histogram(const Rows& rows);

 private:
  struct Extractor;
  std::unique_ptr<Extractor> extractor_;
};

// cv::PCA::project.
Rows OpenCvProject(const Pca& pca, const Rows& rows);

// cv::mulTransposed, then cv::solve by Cholesky: Eq. 6 as it stands.
std::vector<float> OpenCvGmp(const Rows& rows, double lambda);

void UseOneOpenCvThread();

}  // namespace alcedo::bench
