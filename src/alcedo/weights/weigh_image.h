// From the file of an image to its weight maps: shares inside regions, extremes, figures.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/encode/channel.h"
#include "alcedo/weights/regions.h"
#include "alcedo/weights/weight_figure.h"

namespace alcedo {

// Of the map of one lambda.
struct MapNumbers {
  double lambda = 0;           // absolute
  double lambda_relative = 0;  // to the mean squared norm of the encodings
  double lowest = 0, highest = 0;
  std::optional<double> positive, absolute;  // shares of the weight inside
};

struct ImageWeights {
  std::string name;
  std::string failure;  // why there is nothing else, without the name; empty: there is
  std::vector<std::string> warnings;  // whole sentences
  int width = 0, height = 0;          // of the image in its file, turned upright
  Index patches = 0;
  std::vector<SolveReport> reports;  // one per lambda
  std::optional<double> area;        // the region's share of the image
  std::optional<double> equal;       // and of the map that equal weights give
  std::vector<MapNumbers> maps;
  std::vector<std::pair<std::string, std::string>> files;  // what follows the name, and the bytes
  std::optional<WeightPanels> panels;                      // with a figure
};

// What is wanted of an image.
struct WeighRequest {
  MapRule map = MapRule::kSum;
  bool numbers = true;  // extremes and shares, from maps of the image's own size
  bool maps = false;    // files of the maps: .map.npy (with `numbers`), .map.png
  bool figure = false;  // the file .weights.png, and `panels`
};

// What is wrong with the file is its `failure`, never an exception. The result does not depend on
// `threads`. Requires a channel for GMP.
ImageWeights WeighImage(const Channel& channel, const WeighRequest& request,
                        const RegionList& regions, const Input& input, int threads = 1);

// Many images, in parallel, handed over in order from the calling thread; at most four images per
// thread are in memory.
using WeightsReceiver = std::function<void(std::size_t number, ImageWeights weights)>;
void WeighImages(const Channel& channel, const WeighRequest& request, const RegionList& regions,
                 std::span<const Input> inputs, const Run& run, const WeightsReceiver& receive);

}  // namespace alcedo
