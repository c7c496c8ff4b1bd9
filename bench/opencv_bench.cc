// What OpenCV has of this: descriptors at the points of a grid, PCA, k-means, bags of words, and a
// linear solver.
#include <fmt/format.h>

#include "harness.h"

#ifdef ALCEDO_BENCH_OPENCV
#include "alcedo/base/types.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/pool.h"
#include "alcedo/vocabulary/kmeans.h"
#include "data.h"
#include "natural.h"
#include "opencv_peers.h"
#include "peers.h"

namespace alcedo::bench {
namespace {

double MeanCosine(const Rows& a, const Rows& b) {
  double sum = 0;
  Index count = 0;
  for (Index r = 0; r < a.rows(); ++r) {
    const double norms = static_cast<double>(a.row(r).norm()) * b.row(r).norm();
    if (norms == 0) continue;  // flat
    sum += static_cast<double>(a.row(r).dot(b.row(r))) / norms;
    ++count;
  }
  return sum / static_cast<double>(count);
}

Descriptors Sift(std::vector<Row>& rows_out) {
  const Image image = NaturalImage();
  OpenCvSift opencv(image, GridOptions{});
  Descriptors sift;
  const Medians medians =
      Compare([&] { sift = ExtractDenseSift(image); }, [&] { opencv.Run(); }, 5);
  const Rows theirs = opencv.Descriptors();
  rows_out.push_back(
      MakeRow(fmt::format("sift/{} x {}, five scales", image.width, image.height),
              "OpenCV's SIFT at the same points", medians, 0,
              fmt::format("{}: {} descriptors, peer {}, its images scaled beforehand; mean cosine "
                          "{:.3f}, its window is another",
                          NaturalSource(), sift.values.rows(), theirs.rows(),
                          MeanCosine(sift.values, theirs))));
  return sift;
}

void Projection(const Descriptors& sift, std::vector<Row>& rows_out) {
  const Pca& pca = Natural().pca;
  Rows ours, theirs;
  const Medians medians = Compare([&] { ours = Project(pca, sift.values); },
                                  [&] { theirs = OpenCvProject(pca, sift.values); }, 15);
  rows_out.push_back(MakeRow(
      fmt::format("pca/{} x 128 to 64", sift.values.rows()), "OpenCV's PCA::project", medians, 0,
      fmt::format("entries differ by {:.1e}", (ours - theirs).cwiseAbs().maxCoeff())));
}

// The time of one iteration: of some less that of fewer.
void KMeans(std::vector<Row>& rows_out) {
  const NaturalDescriptors& data = Natural();
  const SampleSource samples(data.training);
  const Codebook start = NaturalWords();
  const std::vector<std::int32_t> labels = AssignNearest(start.centers, data.training);
  TrainingReport report;
  double theirs = 0;
  const auto ours = [&](int iterations) {
    Rng rng(1);
    FitKMeans(samples, {.clusters = 256, .max_iterations = iterations, .tolerance = 0}, rng,
              {.report = &report, .start = &start});
  };
  const auto peer = [&](int iterations) {
    theirs = OpenCvKMeans(data.training, {labels.begin(), labels.end()}, 256, iterations);
  };
  const int few = 2, many = 6;
  const Medians less = Compare([&] { ours(few); }, [&] { peer(few); }, 3);
  const Medians more = Compare([&] { ours(many); }, [&] { peer(many); }, 3);
  rows_out.push_back(
      MakeRow("kmeans/100K x 64, 256 clusters", "OpenCV, one iteration",
              {(more.ours - less.ours) / (many - few), (more.peer - less.peer) / (many - few)}, 0,
              fmt::format("error after {} iterations {:.6f}, peer {:.6f}", many, report.objective,
                          theirs)));
}

void BagOfWords(std::vector<Row>& rows_out) {
  const NaturalDescriptors& data = Natural();
  const Encoder encoder = BovEncoder{{data.mixture.means, data.mixture.weights}};
  OpenCvBagOfWords opencv(data.mixture.means);
  Vector ours;
  std::vector<float> theirs;
  const Medians medians =
      Compare([&] { ours = Pool(Encode(encoder, data.image), SumOptions{}).phi; },
              [&] { theirs = opencv.Histogram(data.image); }, 7);
  double moved = 0;
  for (Index k = 0; k < ours.size(); ++k) {
    moved += std::abs(ours[k] / data.image.rows() - theirs[static_cast<std::size_t>(k)]) / 2;
  }
  rows_out.push_back(MakeRow(fmt::format("bov/{} x 64, 256 words", data.image.rows()),
                             "OpenCV's BOWImgDescriptorExtractor", medians, 0,
                             fmt::format("{:.1e} of the descriptors in other words", moved)));
}

void Gmp(std::vector<Row>& rows_out) {
  const Rows rows = EmkLikeRows(10000, 2048);
  const Encodings encodings = Encodings::DenseView(rows);
  GmpOptions options;
  options.lambda = 10;
  GmpResult ours;
  std::vector<float> x;
  const Medians medians = Compare([&] { ours = PoolGmp(encodings, options); },
                                  [&] { x = OpenCvGmp(rows, options.lambda); }, 3);
  const Vector theirs =
      Eigen::Map<const Eigen::VectorXf>(x.data(), static_cast<Index>(x.size())).cast<double>();
  rows_out.push_back(MakeRow("gmp/dense-2048", "OpenCV's mulTransposed and solve", medians, 0,
                             fmt::format("residual {:.1e}; peer {:.1e}", ours.report.residual,
                                         TrueResidual(encodings, options.lambda, theirs))));
}

void OpenCv(std::vector<Row>& rows_out) {
  UseOneOpenCvThread();
  const Descriptors sift = Sift(rows_out);
  Projection(sift, rows_out);
  KMeans(rows_out);
  BagOfWords(rows_out);
  Gmp(rows_out);
}

}  // namespace

std::vector<Group> OpenCvGroups() { return {{"opencv", OpenCv}}; }

}  // namespace alcedo::bench

#else

namespace alcedo::bench {

std::vector<Group> OpenCvGroups() {
  return {{"opencv", [](std::vector<Row>&) {
             fmt::print(stderr, "skipped OpenCV: it was not installed when this was built\n");
           }}};
}

}  // namespace alcedo::bench

#endif
