// One picture of `alcedo weights`, from its file to the bytes of its outputs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/cli/lambda_range.h"
#include "alcedo/cli/weights_arguments.h"
#include "alcedo/cli/weights_regions.h"
#include "alcedo/weights/weight_figure.h"
#include "alcedo/encode/encode_batch.h"

namespace alcedo::cli {

// Of the map of one lambda.
struct MapNumbers {
  double lambda = 0;           // absolute
  double lambda_relative = 0;  // to the mean squared norm of the encodings
  double lowest = 0, highest = 0;
  std::optional<double> positive, absolute;  // shares of the weight inside
};

struct WeightsOfImage {
  std::string name;
  std::string failure;  // why there is nothing else, without the name; empty: there is
  std::vector<std::string> warnings;  // whole sentences
  int width = 0, height = 0;          // of the picture in its file, turned upright
  Index patches = 0;
  LambdaRange lambda;
  std::optional<double> area;   // the region's share of the picture
  std::optional<double> equal;  // and of the map that equal weights give
  std::vector<MapNumbers> maps;
  std::vector<std::pair<std::string, std::string>> files;  // what follows the name, and the bytes
  std::optional<WeightPanels> panels;                      // where pictures are drawn
};

// "relative λ = 0.1"
std::string LambdaLabel(double lambda, bool relative);

// What is wrong with the file is its `failure`, never an exception. The result does not depend on
// `threads`.
WeightsOfImage WeighImage(const WeightsJob& job, const Representer& representer,
                          const WeightsRegions& regions, const EncodeInput& input, int threads);

}  // namespace alcedo::cli
