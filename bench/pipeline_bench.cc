// The whole way, image after image: bytes of a file in, a pooled vector out.
#include <fmt/format.h>

#include <chrono>

#include "alcedo/base/parallel.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encode/image_encoder.h"
#include "alcedo/image/read_image.h"
#include "harness.h"
#include "natural.h"

namespace alcedo::bench {
namespace {

// Images per second of wall-clock time, the best of a few rounds: other work on the machine only
// ever takes away from it.
double Rate(const std::string& bytes, const ImageEncoder& encoder, int threads) {
  constexpr int kImages = 60, kRounds = 5;
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    ParallelFor(kImages, threads, [&](Index) { encoder.FromBytes(bytes, "photograph"); });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, kImages / seconds.count());
  }
  return best;
}

void Pipeline(std::vector<Row>& rows_out) {
  const std::string bytes = NaturalFileBytes();
  const Channel channel(OpenVocabulary("sift").vocabulary, EncodeConfig{});
  const ImageEncoder encoder({channel});
  Image image;
  Descriptors descriptors;
  const Medians parts = Compare([&] { image = ReadImageBytes(bytes, "photograph"); },
                                [&] { descriptors = Describer().FromImage(image); }, 15);
  const Medians rest =
      Compare([&] { channel.Represent(descriptors); }, [&] { channel.Project(descriptors); }, 15);
  Row row;
  row.kernel = "pipeline/file to GMP, 2 threads";
  row.peer = "one thread";
  row.unit = "images/s";
  row.ours_ms = Rate(bytes, encoder, 2);
  row.peer_ms = Rate(bytes, encoder, 1);
  row.ratio = row.ours_ms / row.peer_ms;
  row.goal = ">= 40 images/s";
  row.reached = row.ours_ms >= 40;
  row.note = fmt::format(
      "{}, {} patches, 256 Gaussians; ms of one thread: decode {:.1f}, SIFT {:.1f}, PCA {:.1f}, "
      "encode and pool {:.1f}",
      NaturalSource(), descriptors.values.rows(), parts.ours, parts.peer, rest.peer,
      rest.ours - rest.peer);
  rows_out.push_back(row);
}

}  // namespace

std::vector<Group> PipelineGroups() { return {{"pipeline", Pipeline}}; }

}  // namespace alcedo::bench
