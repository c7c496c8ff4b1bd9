#include "alcedo/weights/weigh_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/base/error.h"
#include "alcedo/base/for_each_input.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/weights/patch_weights.h"

namespace alcedo {
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

// "relative λ = 0.1"
std::string LambdaLabel(double lambda, bool relative) {
  return fmt::format("{}\u03bb = {:g}", relative ? "relative " : "", lambda);
}

// Boxes of the image in its file, in pixels of the one that was worked on.
std::vector<Box> Scaled(std::vector<Box> boxes, const Image& image) {
  const double x = static_cast<double>(image.width) / image.original_width;
  const double y = static_cast<double>(image.height) / image.original_height;
  for (Box& box : boxes) box = {box.x * x, box.y * y, box.width * x, box.height * y};
  return boxes;
}

class Weigher {
 public:
  Weigher(const Channel& channel, const WeighRequest& request, const RegionList& regions,
          const Input& input, int threads)
      : channel_(channel), request_(request), regions_(regions), input_(input), threads_(threads) {}

  void Run(ImageWeights& result) {
    const DescribeOptions& describe = channel_.config().describe;
    image_ = ReadImageBytes(ReadInputFile(input_.path, describe.image.max_image_memory),
                            input_.name, describe.image);
    descriptors_ = channel_.describer().FromImage(image_, threads_);
    const PatchWeights weights = ComputePatchWeights(channel_, descriptors_, threads_);
    result.width = image_.original_width;
    result.height = image_.original_height;
    result.patches = descriptors_.values.rows();
    result.reports = weights.reports;
    for (const SolveReport& report : weights.reports) {
      if (report.converged) continue;
      result.warnings.push_back(fmt::format("{}: the weights for lambda {:g} are not exact: {}",
                                            input_.name, report.lambda, report.reason));
    }
    if (request_.numbers) Count(weights, result);
    if (request_.maps || request_.figure) Draw(weights.weights, result);
  }

 private:
  WeightMap Map(const VectorView& weights, int width, int height) const {
    return RenderWeightMap(descriptors_.patches, weights, image_.original_width,
                           image_.original_height, width, height, request_.map);
  }

  // The maps in the image's own size: shares, extremes, and their values as a file.
  void Count(const PatchWeights& weights, ImageWeights& result) {
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
      if (request_.maps) maps.push_back(std::move(map));
    }
    if (!maps.empty()) result.files.emplace_back(".map.npy", NpyOf(maps));
  }

  // Figures have the size that was worked on.
  void Draw(const Matrix& weights, ImageWeights& result) {
    const EncodeConfig& config = channel_.config();
    WeightPanels panels;
    panels.name = std::filesystem::path(input_.name).filename().string();
    panels.image = image_;
    panels.boxes = Scaled(regions_.BoxesOf(input_.name), image_);
    for (Index l = 0; l < weights.rows(); ++l) {
      const double lambda = config.lambdas[static_cast<std::size_t>(l)];
      WeightMap map = Map(weights.row(l).transpose(), image_.width, image_.height);
      if (request_.maps) {
        const std::string suffix =
            weights.rows() == 1 ? ".map.png" : fmt::format(".map-{:g}.png", lambda);
        result.files.emplace_back(suffix, PngBytes(MapImage(map, ScaleFor(map.values))));
      }
      panels.maps.push_back(std::move(map));
      panels.labels.push_back(LambdaLabel(lambda, config.pooling.Get<GmpOptions>().relative));
    }
    if (!request_.figure) return;
    result.files.emplace_back(".weights.png", PngBytes(WeightFigure(panels)));
    result.panels = std::move(panels);
  }

  const Channel& channel_;
  const WeighRequest& request_;
  const RegionList& regions_;
  const Input& input_;
  const int threads_;
  Image image_;
  Descriptors descriptors_;
};

}  // namespace

ImageWeights WeighImage(const Channel& channel, const WeighRequest& request,
                        const RegionList& regions, const Input& input, int threads) {
  ImageWeights result;
  try {
    Weigher(channel, request, regions, input, threads).Run(result);
  } catch (const Error& error) {
    result = {};
    result.failure = ReasonOf(error);
  }
  result.name = input.name;
  return result;
}

void WeighImages(const Channel& channel, const WeighRequest& request, const RegionList& regions,
                 std::span<const Input> inputs, const Run& run, const WeightsReceiver& receive) {
  Progress progress{"weights", 0, static_cast<Index>(inputs.size()), 0, "images"};
  ForEachInput<ImageWeights>(
      AllNumbers(progress.total), 1, run, progress,
      [&](Index number, int threads) {
        return WeighImage(channel, request, regions, inputs[static_cast<std::size_t>(number)],
                          threads);
      },
      [&](std::span<const Index> numbers, std::span<ImageWeights> images) {
        receive(static_cast<std::size_t>(numbers[0]), std::move(images[0]));
      });
}

}  // namespace alcedo
