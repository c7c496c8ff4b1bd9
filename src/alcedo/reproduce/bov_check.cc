#include "alcedo/reproduce/bov_check.h"

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/encode/encode_files.h"

namespace alcedo {
namespace {

// Between the two poolings of every descriptor.
double Deviation(const ImageVectors& vectors) {
  double worst = 0;
  for (const ChannelVectors& channel : vectors.channels) {
    worst = std::max(worst, (channel.values.row(0) - channel.values.row(1)).cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace

report::CheckResult CheckBovGmpIsMax(const ReadyPlan& ready, const Dataset& dataset,
                                     const Run& run) {
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
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(some[n])];
    const EncodedFile file = EncodeFile(ready.bov, {image.path.string(), image.name});
    // Failures are counted where vectors are made.
    if (file.failure.empty()) deviations[n] = Deviation(file.vectors);
  });
  report::CheckResult check;
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
