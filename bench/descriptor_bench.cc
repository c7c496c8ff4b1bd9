// Descriptors of an image against VLFeat's.
#include <fmt/format.h>

#include "alcedo/descriptors/color_statistics.h"
#include "alcedo/descriptors/dense_sift.h"
#include "harness.h"
#include "natural.h"
#include "vlfeat_peers.h"

namespace alcedo::bench {
namespace {

void Sift(std::vector<Row>& rows_out) {
  const Image image = NaturalImage();
  VlfeatSift vlfeat(image, GridOptions{});
  Descriptors sift, color;
  const auto extract = [&] { sift = ExtractDenseSift(image); };
  const std::string size = fmt::format("{} x {}", image.width, image.height);
  const Medians peer = Compare(extract, [&] { vlfeat.Run(); }, 11);
  rows_out.push_back(MakeRow(
      "sift/" + size + ", five scales", "vl_dsift, flat window", peer, 5,
      fmt::format("{}: {} descriptors, peer {}, its images scaled beforehand; {}", NaturalSource(),
                  sift.values.rows(), vlfeat.NumDescriptors(), kVlfeatNote)));
  const Medians share = Compare([&] { color = ExtractColorStatistics(image); }, extract, 15);
  rows_out.push_back(MakeRow("color/" + size + ", five scales", "our dense SIFT", share, 3,
                             fmt::format("{:.2f} of the time of SIFT; {} descriptors",
                                         share.ours / share.peer, color.values.rows())));
}

}  // namespace

std::vector<Group> DescriptorGroups() { return {{"sift", Sift}}; }

}  // namespace alcedo::bench
