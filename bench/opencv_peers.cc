#include "opencv_peers.h"

#include <algorithm>
#include <opencv2/features2d.hpp>

#include "alcedo/image/resize.h"

namespace alcedo::bench {
namespace {

// OpenCV writes into none of what it is given here; its matrices know no const.
cv::Mat View(const Rows& rows) {
  return {static_cast<int>(rows.rows()), static_cast<int>(rows.cols()), CV_32F,
          const_cast<float*>(rows.data())};
}

Rows ToRows(const cv::Mat& matrix) {
  return Eigen::Map<const EigenRows>(matrix.ptr<float>(), matrix.rows, matrix.cols);
}

}  // namespace

OpenCvSift::OpenCvSift(const Image& image, const GridOptions& options) {
  const Image gray = ToGray(image);
  const PatchGrid grid = MakePatchGrid(image, options);
  const int cell = grid.patch / 4;
  const float middle = static_cast<float>((cell - 1) / 2) + 1.5F * static_cast<float>(cell);
  for (const GridLevel& level : grid.levels) {
    const Image scaled = ShrinkByArea(gray, level.width, level.height);
    cv::Mat bytes;
    cv::Mat(level.height, level.width, CV_32F, const_cast<float*>(scaled.Plane(0)))
        .convertTo(bytes, CV_8U);
    scaled_.push_back(bytes);
    std::vector<cv::KeyPoint>& points = points_.emplace_back();
    for (int row = 0; row < level.rows; ++row) {
      for (int column = 0; column < level.columns; ++column) {
        // A cell of its descriptor is 1.5 times the size of the point.
        points.emplace_back(static_cast<float>(column * grid.step) + middle,
                            static_cast<float>(row * grid.step) + middle,
                            static_cast<float>(cell) / 1.5F, 0.F);
      }
    }
  }
  descriptors_.resize(scaled_.size());
}

void OpenCvSift::Run() {
  const double no_smoothing = 0.5;  // what it takes images to have already
  const cv::Ptr<cv::SIFT> sift = cv::SIFT::create(0, 3, 0.04, 10, no_smoothing);
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    sift->compute(scaled_[i], points_[i], descriptors_[i]);
  }
}

Rows OpenCvSift::Descriptors() const {
  cv::Mat all;
  cv::vconcat(descriptors_, all);
  Rows rows = ToRows(all);
  // Its angles go from +x upwards, ours downwards.
  for (Index first = 0; first < rows.cols(); first += 8) {
    for (Index o = 1; o < 4; ++o) rows.col(first + o).swap(rows.col(first + 8 - o));
  }
  return rows;
}

double OpenCvKMeans(const Rows& rows, const std::vector<int>& labels, int clusters,
                    int iterations) {
  cv::Mat assigned = cv::Mat(labels, true);
  return cv::kmeans(View(rows), clusters, assigned,
                    cv::TermCriteria(cv::TermCriteria::COUNT, iterations, 0), 1,
                    cv::KMEANS_USE_INITIAL_LABELS) /
         static_cast<double>(rows.rows());
}

struct OpenCvBagOfWords::Extractor {
  cv::BOWImgDescriptorExtractor bag{cv::BFMatcher::create(cv::NORM_L2)};
};

OpenCvBagOfWords::OpenCvBagOfWords(const Rows& words) : extractor_(std::make_unique<Extractor>()) {
  extractor_->bag.setVocabulary(View(words));
}

OpenCvBagOfWords::~OpenCvBagOfWords() = default;

std::vector<float> OpenCvBagOfWords::Histogram(const Rows& rows) {
  cv::Mat histogram;
  extractor_->bag.compute(View(rows), histogram);
  return {histogram.begin<float>(), histogram.end<float>()};
}

Rows OpenCvProject(const Pca& pca, const Rows& rows) {
  const Eigen::RowVectorXf mean = pca.mean.transpose().cast<float>();
  cv::PCA peer;
  peer.mean =
      cv::Mat(1, static_cast<int>(mean.size()), CV_32F, const_cast<float*>(mean.data())).clone();
  peer.eigenvectors = View(pca.components);
  return ToRows(peer.project(View(rows)));
}

std::vector<float> OpenCvGmp(const Rows& rows, double lambda) {
  const cv::Mat phi = View(rows);  // its rows are the columns of the paper's
  cv::Mat gram, sum, x;
  cv::mulTransposed(phi, gram, true);
  gram += lambda * cv::Mat::eye(gram.size(), CV_32F);
  cv::reduce(phi, sum, 0, cv::REDUCE_SUM);
  cv::solve(gram, sum.t(), x, cv::DECOMP_CHOLESKY);
  return {x.begin<float>(), x.end<float>()};
}

void UseOneOpenCvThread() { cv::setNumThreads(1); }

}  // namespace alcedo::bench
