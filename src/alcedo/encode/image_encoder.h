// From images to vectors: the one engine behind encode, train, classify, evaluate, weights and
// reproduce. Every channel and every pooling of an image come from one decoding of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/encode/channel.h"
#include "alcedo/image/image.h"

namespace alcedo {

struct ImageVectors {
  DescribeReport image;                  // of images; arrays have no size
  std::vector<ChannelVectors> channels;  // in the order of the encoder's
};

// Per channel, the poolings that are wanted, by number. A channel without any gives no values and
// costs nothing.
using WantedPoolings = std::vector<std::vector<int>>;

// Prepared once: it owns all tables of its channels. Immutable: all threads may share one.
class ImageEncoder {
 public:
  // At least one channel. Channels with the same descriptor share it, and with the same PCA the
  // projected rows too.
  explicit ImageEncoder(std::vector<Channel> channels);

  const std::vector<Channel>& channels() const { return channels_; }
  // What a file may take: the limit on reading an image holds for its file too.
  double max_file_mib() const;

  // `bytes` are a whole file, `name` stands for it in messages. Throws what is wrong with it. The
  // result does not depend on `threads`.
  ImageVectors FromBytes(std::string_view bytes, const std::string& name, int threads = 1,
                         const WantedPoolings* wanted = nullptr) const;
  ImageVectors FromImage(const Image& image, int threads = 1,
                         const WantedPoolings* wanted = nullptr) const;

  // Many images, in parallel.
  std::vector<ImageVectors> FromImages(std::span<const Image> images, int threads = 1) const;

 private:
  // Channels that share their descriptors, in parts that share their projection.
  struct Group {
    std::vector<std::vector<int>> projections;
  };
  using Describe = std::function<Descriptors(const Describer&)>;
  ImageVectors Represent(const Describe& describe, int threads, const WantedPoolings* wanted) const;

  std::vector<Channel> channels_;
  std::vector<Group> groups_;
};

}  // namespace alcedo
