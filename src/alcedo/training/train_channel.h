// One channel of a model to be: its vocabulary, and the vectors of the training images.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/base/run.h"
#include "alcedo/training/train_options.h"
#include "alcedo/store/feature_store.h"
#include "alcedo/learn/learn.h"
#include "alcedo/encode/represent.h"

namespace alcedo {

class TrainChannel {
 public:
  // Learns and encodes what run.work does not have yet.
  TrainChannel(DescriptorKind descriptor, const Dataset& dataset, std::span<const Index> images,
               const TrainOptions& options, const Run& run);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const EncodeConfig& config() const { return representer_.config; }
  Index dimension() const { return representer_.dimension(); }

  bool Has(const std::string& image) const { return stored_.contains(image); }
  std::vector<LearnFailure> Failures() const;
  // One row for each of these images, which it must have.
  Rows Read(const std::vector<std::string>& images) const;

 private:
  TrainChannel(NamedVocabulary named, DescriptorKind descriptor, const TrainOptions& options,
               const Run& run);
  void Encode(const Dataset& dataset, std::span<const Index> images, const std::string& name,
              const Run& run);

  Vocabulary vocabulary_;
  Representer representer_;
  FeatureStore store_;
  std::map<std::string, StoredImage> stored_;  // by name
};

}  // namespace alcedo
