#include "alcedo/reproduce/bov_check.h"

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/image/read_image.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/pooling/pool.h"

namespace alcedo {
namespace {

double Deviation(const ReadyDescriptor& ready, const Image& image) {
  const Descriptors descriptors = DescribeImage(image, ready.describe);
  const Rows rows = ready.pca ? Project(*ready.pca, descriptors.values) : descriptors.values;
  const Encodings encodings = Encode(ready.bov, rows);
  GmpOptions options;
  options.lambda = 0;
  return (PoolGmp(encodings, options).phi - PoolMax(encodings)).cwiseAbs().maxCoeff();
}

}  // namespace

Check CheckBovGmpIsMax(const ReadyPlan& ready, const Dataset& dataset, const Run& run) {
  constexpr std::size_t kImages = 50;
  std::vector<Index> images = ImagesOf(dataset, Split::kTrain);
  const std::size_t step = std::max<std::size_t>(1, images.size() / kImages);
  std::vector<Index> some;
  for (std::size_t i = 0; i < images.size() && some.size() < kImages; i += step) {
    some.push_back(images[i]);
  }
  std::vector<double> deviations(some.size(), -1);
  ParallelFor(static_cast<Index>(some.size()), run.threads, [&](Index i) {
    const auto n = static_cast<std::size_t>(i);
    try {
      const Image image = ReadImage(dataset.images[static_cast<std::size_t>(some[n])].path,
                                    ready.descriptors.at(0).describe.image);
      double worst = 0;
      for (const ReadyDescriptor& descriptor : ready.descriptors) {
        worst = std::max(worst, Deviation(descriptor, image));
      }
      deviations[n] = worst;
    } catch (const FormatError&) {  // counted where vectors are made
    }
  });
  Check check;
  check.dataset = Name(dataset.kind);
  check.what = "GMP with lambda = 0 equals max pooling for hard BOV";
  check.tolerance = 1e-6;
  for (const double deviation : deviations) {
    if (deviation < 0) continue;
    ++check.images;
    check.deviation = std::max(check.deviation, deviation);
  }
  check.holds = check.images > 0 && check.deviation <= check.tolerance;
  return check;
}

}  // namespace alcedo
