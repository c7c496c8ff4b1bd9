#include "alcedo/cli/weights_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/weights/patch_weights.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/io/input_file.h"

namespace alcedo::cli {
namespace {

std::string NpyOf(const std::vector<WeightMap>& maps) {
  std::string bytes;
  for (const WeightMap& map : maps) {
    bytes.append(reinterpret_cast<const char*>(map.values.data()),
                 map.values.size() * sizeof(float));
  }
  std::vector<Index> shape{maps[0].height, maps[0].width};
  if (maps.size() > 1) shape.insert(shape.begin(), static_cast<Index>(maps.size()));
  return NpyBytes({"", shape, ElementType::kFloat32, bytes});
}

// Boxes of the picture in its file, in pixels of the one that was worked on.
std::vector<Box> Scaled(std::vector<Box> boxes, const Image& picture) {
  const double x = static_cast<double>(picture.width) / picture.original_width;
  const double y = static_cast<double>(picture.height) / picture.original_height;
  for (Box& box : boxes) box = {box.x * x, box.y * y, box.width * x, box.height * y};
  return boxes;
}

class Weigher {
 public:
  Weigher(const WeightsJob& job, const Representer& representer, const WeightsRegions& regions,
          const EncodeInput& input, int threads)
      : job_(job), representer_(representer), regions_(regions), input_(input), threads_(threads) {}

  void Run(WeightsOfImage& result) {
    const DescribeOptions& describe = representer_.config.describe;
    picture_ = ReadImageBytes(ReadInputFile(input_.path, describe.image.max_image_memory),
                              input_.name, describe.image);
    descriptors_ = DescribeImage(picture_, describe, threads_);
    const PatchWeights weights = ComputePatchWeights(representer_, descriptors_, threads_);
    result.width = picture_.original_width;
    result.height = picture_.original_height;
    result.patches = descriptors_.values.rows();
    result.lambda.Add(weights.reports);
    for (const SolveReport& report : weights.reports) {
      if (report.converged) continue;
      result.warnings.push_back(fmt::format("{}: the weights for lambda {:g} are not exact: {}",
                                            input_.name, report.lambda, report.reason));
    }
    if (CountIsWanted()) Count(weights, result);
    if (!job_.output.empty()) Draw(weights.weights, result);
  }

 private:
  WeightMap Map(const VectorView& weights, int width, int height) const {
    return RenderWeightMap(descriptors_.patches, weights, picture_.original_width,
                           picture_.original_height, width, height, job_.config.map);
  }

  // A figure alone has no use for maps of all pixels of a photograph.
  bool CountIsWanted() const {
    return job_.has_region() || !job_.json.empty() || !job_.csv.empty() || !job_.one_figure();
  }

  // The maps in the picture's own size: shares, extremes, and their values as a file.
  void Count(const PatchWeights& weights, WeightsOfImage& result) {
    const int width = result.width, height = result.height;
    const std::optional<Region> region = regions_.Of(input_.name, width, height);
    if (region) {
      result.area = AreaShare(*region);
      const Vector ones = Vector::Ones(descriptors_.values.rows());
      result.equal = ShareInside(Map(ones, width, height), *region, MapPart::kPositive);
    }
    std::vector<WeightMap> maps;
    for (Index l = 0; l < weights.weights.rows(); ++l) {
      WeightMap map = Map(weights.weights.row(l).transpose(), width, height);
      MapNumbers numbers;
      const std::size_t number = static_cast<std::size_t>(l);
      if (number < weights.reports.size()) {
        numbers.lambda = weights.reports[number].lambda;
        numbers.lambda_relative = weights.reports[number].lambda_relative;
      }
      const auto [low, high] = std::minmax_element(map.values.begin(), map.values.end());
      numbers.lowest = *low;
      numbers.highest = *high;
      if (region) {
        numbers.positive = ShareInside(map, *region, MapPart::kPositive);
        numbers.absolute = ShareInside(map, *region, MapPart::kAbsolute);
      }
      result.maps.push_back(numbers);
      if (!job_.output.empty() && !job_.one_figure()) maps.push_back(std::move(map));
    }
    if (!maps.empty()) result.files.emplace_back(".map.npy", NpyOf(maps));
  }

  // Pictures have the size that was worked on.
  void Draw(const Matrix& weights, WeightsOfImage& result) {
    const EncodeConfig& config = representer_.config;
    WeightPanels panels;
    panels.name = std::filesystem::path(input_.name).filename().string();
    panels.picture = picture_;
    panels.boxes = Scaled(regions_.BoxesOf(input_.name), picture_);
    for (Index l = 0; l < weights.rows(); ++l) {
      const double lambda = config.lambdas[static_cast<std::size_t>(l)];
      WeightMap map = Map(weights.row(l).transpose(), picture_.width, picture_.height);
      if (!job_.one_figure()) {
        const std::string suffix =
            weights.rows() == 1 ? ".map.png" : fmt::format(".map-{:g}.png", lambda);
        result.files.emplace_back(suffix, PngBytes(MapPicture(map, ScaleFor(map.values))));
      }
      panels.maps.push_back(std::move(map));
      panels.labels.push_back(LambdaLabel(lambda, config.gmp.relative));
    }
    result.files.emplace_back(".weights.png", PngBytes(WeightFigure(panels)));
    result.panels = std::move(panels);
  }

  const WeightsJob& job_;
  const Representer& representer_;
  const WeightsRegions& regions_;
  const EncodeInput& input_;
  const int threads_;
  Image picture_;
  Descriptors descriptors_;
};

}  // namespace

std::string LambdaLabel(double lambda, bool relative) {
  return fmt::format("{}\u03bb = {:g}", relative ? "relative " : "", lambda);
}

WeightsOfImage WeighImage(const WeightsJob& job, const Representer& representer,
                          const WeightsRegions& regions, const EncodeInput& input, int threads) {
  WeightsOfImage result;
  try {
    Weigher(job, representer, regions, input, threads).Run(result);
  } catch (const Error& error) {
    result = {};
    result.failure = WithoutName(error.what(), input.name);
  }
  result.name = input.name;
  return result;
}

}  // namespace alcedo::cli
