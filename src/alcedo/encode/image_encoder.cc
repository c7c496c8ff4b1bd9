#include "alcedo/encode/image_encoder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/descriptors/describe.h"

namespace alcedo {
namespace {

bool SameProjection(const Channel& a, const Channel& b) {
  if (!a.pca() || !b.pca()) return !a.pca() && !b.pca();
  const Pca& p = *a.pca();
  const Pca& q = *b.pca();
  return p.whiten == q.whiten && p.mean.size() == q.mean.size() &&
         p.components.rows() == q.components.rows() && p.mean == q.mean &&
         p.components == q.components && p.variances == q.variances;
}

}  // namespace

ImageEncoder::ImageEncoder(std::vector<Channel> channels) : channels_(std::move(channels)) {
  if (channels_.empty()) throw InvalidArgument("an image encoder needs at least one channel");
  const auto at = [&](int number) -> const Channel& {
    return channels_[static_cast<std::size_t>(number)];
  };
  for (int c = 0; c < static_cast<int>(channels_.size()); ++c) {
    const auto group = std::ranges::find_if(groups_, [&](const Group& g) {
      return at(g.projections[0][0]).config().describe == at(c).config().describe;
    });
    if (group == groups_.end()) {
      groups_.push_back({{{c}}});
      continue;
    }
    const auto part = std::ranges::find_if(group->projections, [&](const std::vector<int>& p) {
      return SameProjection(at(p[0]), at(c));
    });
    if (part == group->projections.end()) {
      group->projections.push_back({c});
    } else {
      part->push_back(c);
    }
  }
}

double ImageEncoder::max_file_mib() const {
  double most = 0;
  for (const Channel& channel : channels_) {
    most = std::max(most, channel.config().describe.image.max_image_memory);
  }
  return most;
}

ImageVectors ImageEncoder::Represent(const Describe& describe, int threads,
                                     const WantedPoolings* wanted) const {
  const auto needs = [&](int c) {
    return wanted == nullptr || !(*wanted)[static_cast<std::size_t>(c)].empty();
  };
  ImageVectors result;
  result.channels.resize(channels_.size());
  for (const Group& group : groups_) {
    std::optional<Descriptors> descriptors;  // computed for the first channel that needs them
    for (const std::vector<int>& part : group.projections) {
      std::optional<Rows> projected;
      for (const int c : part) {
        if (!needs(c)) continue;
        const Channel& channel = channels_[static_cast<std::size_t>(c)];
        if (!descriptors) descriptors = describe(channel.describer());
        if (!projected) {
          projected =
              descriptors->values.rows() == 0 ? Rows() : channel.Project(*descriptors, threads);
        }
        std::optional<std::span<const int>> some;
        if (wanted != nullptr) some = (*wanted)[static_cast<std::size_t>(c)];
        result.channels[static_cast<std::size_t>(c)] =
            channel.RepresentProjected(*projected, *descriptors, threads, some);
      }
    }
  }
  return result;
}

ImageVectors ImageEncoder::FromImage(const Image& image, int threads,
                                     const WantedPoolings* wanted) const {
  ImageVectors result =
      Represent([&](const Describer& describer) { return describer.FromImage(image, threads); },
                threads, wanted);
  result.image = {image.original_width, image.original_height, image.width, image.height};
  return result;
}

ImageVectors ImageEncoder::FromBytes(std::string_view bytes, const std::string& name, int threads,
                                     const WantedPoolings* wanted) const {
  SharedImage image(bytes, name);
  ImageVectors result =
      Represent([&](const Describer& describer) { return image.Describe(describer, threads); },
                threads, wanted);
  result.image = image.report();
  return result;
}

std::vector<ImageVectors> ImageEncoder::FromImages(std::span<const Image> images,
                                                   int threads) const {
  std::vector<ImageVectors> all(images.size());
  const int inner = images.size() == 1 ? threads : 1;
  ParallelFor(static_cast<Index>(images.size()), threads, [&](Index i) {
    all[static_cast<std::size_t>(i)] = FromImage(images[static_cast<std::size_t>(i)], inner);
  });
  return all;
}

}  // namespace alcedo
