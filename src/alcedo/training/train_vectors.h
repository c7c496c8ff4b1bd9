// The channels of a model to be: their vocabularies, and the vectors of the training images.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/encode/image_encoder.h"
#include "alcedo/learn/learn.h"
#include "alcedo/store/feature_store.h"
#include "alcedo/training/train_options.h"

namespace alcedo {

class TrainVectors {
 public:
  // Learns and encodes what run.work does not have yet. Every image is decoded at most twice: once
  // to learn all vocabularies, once to encode all channels.
  TrainVectors(const Dataset& dataset, std::span<const Index> images, const TrainOptions& options,
               const Run& run);

  std::size_t channels() const { return vocabularies_.size(); }
  const Vocabulary& vocabulary(std::size_t channel) const { return vocabularies_[channel]; }
  const EncodeConfig& config(std::size_t channel) const;

  // Whether all channels have a vector of it.
  bool Has(const std::string& image) const;
  // Images that a channel could not use; the first reason of each.
  std::vector<Failure> Failures() const;
  // One row for each of these images, which it must have.
  Rows Read(std::size_t channel, const std::vector<std::string>& images) const;
  // ShortContentHash() of the files of these images, as they were when they were encoded.
  std::vector<std::int64_t> Hashes(const std::vector<std::string>& images) const;

 private:
  std::vector<Vocabulary> vocabularies_;
  std::vector<Channel> encoder_channels_;
  std::deque<FeatureStore> stores_;
  std::vector<std::map<std::string, StoredImage>> stored_;  // per channel, by name
};

}  // namespace alcedo
