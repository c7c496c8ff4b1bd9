// A model: everything that it takes to tell the classes of an image, in one file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/classifier/linear_svm.h"
#include "alcedo/classifier/platt.h"
#include "alcedo/config/config.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo {

// One way of looking at an image: SIFT, colour, or descriptors of the user's own.
struct ModelChannel {
  Vocabulary vocabulary;
  EncodeConfig config;     // gives one vector per image
  LinearModel classifier;  // of such vectors
};

// Where a model comes from.
struct ModelTraining {
  std::string dataset;          // its title
  std::int64_t images = 0;      // that it was trained on
  std::int64_t bad_images = 0;  // that could not be read
  bool test_images = false;     // whether images that are for testing were among them
  double c = 1;                 // of the support vector machines
  std::string metric;           // "top1-classes", "map-voc11"
  int folds = 0;                // of cross-validation; 1: the validation split; 0: none
  double validation = 0;        // the metric there, in percent; 0 if there was none
  std::uint64_t seed = 0;
  std::string version;  // of the program
  // ShortContentHash() of the files of those images, sorted: what a model is judged by should not
  // be among them. Models may have none; it is then not known.
  std::vector<std::int64_t> pictures;
};

struct Model {
  std::vector<std::string> classes;  // bytes, distinct
  bool multi_label = false;
  std::vector<ModelChannel> channels;  // at least one
  std::vector<double> fusion_weights;  // one per channel; empty: the plain sum of their scores
  std::optional<PlattScaling> platt;   // of the fused scores
  ModelTraining training;
};

// One safetensors file with a JSON header (docs/formats.md). The same model gives the same bytes,
// and the bytes the same model, bit for bit. InvalidArgument for a model whose parts do not fit
// each other.
std::string ModelBytes(const Model& model);

// Larger files are refused before they are read.
inline constexpr std::int64_t kMaxModelBytes = std::int64_t{16} << 30;

// FormatError naming the file if it is not a model, is of a newer version, was truncated or changed
// in any byte, or does not fit together.
Model ReadModel(const std::filesystem::path& path);
Model ReadModelBytes(std::string bytes, const std::string& name);

}  // namespace alcedo
