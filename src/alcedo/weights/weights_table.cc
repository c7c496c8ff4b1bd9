#include "alcedo/weights/weights_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/utf8.h"
#include "alcedo/base/version.h"
#include "alcedo/config/field_json.h"
#include "alcedo/io/csv.h"

namespace alcedo {
namespace {

std::string Percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", 100 * *share) : "-";
}

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string Text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

bool HasShares(const ImageWeights& image, std::size_t lambda) {
  return image.failure.empty() && image.area && image.equal && image.maps[lambda].positive &&
         image.maps[lambda].absolute;
}

// In characters, as a terminal counts them.
std::size_t Length(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string Padded(std::string text, std::size_t width) {
  const std::size_t length = Length(text);
  if (length < width) text.append(width - length, ' ');
  return text;
}

}  // namespace

MeanShares MeanOf(std::span<const ImageWeights> images, std::size_t lambda) {
  MeanShares mean;
  for (const ImageWeights& image : images) {
    if (!HasShares(image, lambda)) continue;
    const MapNumbers& map = image.maps[lambda];
    ++mean.images;
    mean.area += *image.area;
    mean.equal += *image.equal;
    mean.positive += *map.positive;
    mean.absolute += *map.absolute;
    mean.above_equal += *map.positive > *image.equal ? 1 : 0;
  }
  if (mean.images == 0) return mean;
  for (double* sum : {&mean.area, &mean.equal, &mean.positive, &mean.absolute}) {
    *sum /= static_cast<double>(mean.images);
  }
  return mean;
}

std::string WeightsText(const EncodeConfig& config, std::span<const ImageWeights> images) {
  std::size_t width = std::string("above equal weights").size();
  for (const ImageWeights& image : images) {
    width = std::max(width, Length(internal::EscapeText(image.name)));
  }
  std::string text =
      fmt::format("Inside the box, in %: of the area, of equal weights, of GMP's{} weights.\n\n",
                  config.pooling.Get<GmpOptions>().relative ? " (relative lambda)" : "");
  text += fmt::format("{}{:>8}{:>8}", Padded("image", width), "area", "equal");
  for (const double lambda : config.lambdas)
    text += fmt::format("{:>14}", fmt::format("lambda {:g}", lambda));
  text += "\n";
  for (const ImageWeights& image : images) {
    if (!image.failure.empty()) continue;
    text += fmt::format("{}{:>8}{:>8}", Padded(internal::EscapeText(image.name), width),
                        Percent(image.area), Percent(image.equal));
    for (const MapNumbers& map : image.maps) text += fmt::format("{:>14}", Percent(map.positive));
    text += "\n";
  }
  const MeanShares first = MeanOf(images, 0);
  if (first.images == 0) return text;
  text += fmt::format("\n{}{:>8}{:>8}", Padded("mean", width), Percent(first.area),
                      Percent(first.equal));
  std::string above = fmt::format("{}{:>8}{:>8}", Padded("above equal weights", width), "", "");
  for (std::size_t l = 0; l < config.lambdas.size(); ++l) {
    const MeanShares mean = MeanOf(images, l);
    text += fmt::format("{:>14}", Percent(mean.positive));
    above += fmt::format("{:>14}", fmt::format("{}/{}", mean.above_equal, mean.images));
  }
  return fmt::format("{}\n{}\n", text, above);
}

std::string WeightsCsv(const EncodeConfig& config, std::span<const ImageWeights> images) {
  std::string text;
  internal::AppendCsvRecord(
      text, {"image", "lambda", "width", "height", "patches", "lambda_absolute", "lambda_relative",
             "lowest", "highest", "area", "equal", "positive", "absolute"});
  for (const ImageWeights& image : images) {
    for (std::size_t l = 0; l < image.maps.size(); ++l) {
      const MapNumbers& map = image.maps[l];
      internal::AppendCsvRecord(
          text,
          {internal::EscapeText(image.name), fmt::format("{}", config.lambdas[l]),
           std::to_string(image.width), std::to_string(image.height), std::to_string(image.patches),
           fmt::format("{}", map.lambda), fmt::format("{}", map.lambda_relative),
           fmt::format("{}", map.lowest), fmt::format("{}", map.highest), Text(image.area),
           Text(image.equal), Text(map.positive), Text(map.absolute)});
    }
  }
  return text;
}

std::string WeightsJson(const EncodeConfig& config, MapRule map,
                        const std::string& vocabulary_checksum,
                        std::span<const ImageWeights> images) {
  Json list = Json::array(), failures = Json::array(), means = Json::array();
  for (const ImageWeights& image : images) {
    const std::string name = internal::EscapeText(image.name);
    if (!image.failure.empty()) {
      failures.push_back({{"name", name}, {"reason", internal::EscapeText(image.failure)}});
      continue;
    }
    Json maps = Json::array();
    for (const MapNumbers& numbers : image.maps) {
      maps.push_back({{"lambda", numbers.lambda},
                      {"lambda_relative", numbers.lambda_relative},
                      {"lowest", numbers.lowest},
                      {"highest", numbers.highest},
                      {"positive", OrNull(numbers.positive)},
                      {"absolute", OrNull(numbers.absolute)}});
    }
    list.push_back({{"image", name},
                    {"width", image.width},
                    {"height", image.height},
                    {"patches", image.patches},
                    {"area", OrNull(image.area)},
                    {"equal", OrNull(image.equal)},
                    {"maps", std::move(maps)}});
  }
  for (std::size_t l = 0; l < config.lambdas.size(); ++l) {
    const MeanShares mean = MeanOf(images, l);
    if (mean.images == 0) continue;
    means.push_back({{"lambda", config.lambdas[l]},
                     {"images", mean.images},
                     {"area", mean.area},
                     {"equal", mean.equal},
                     {"positive", mean.positive},
                     {"absolute", mean.absolute},
                     {"above_equal", mean.above_equal}});
  }
  const Json json{{"format", "alcedo weights"},     {"format_version", 1},
                  {"version", Version()},           {"map", Name(map)},
                  {"config", ToJson(config)},       {"vocabulary_checksum", vocabulary_checksum},
                  {"mean", std::move(means)},       {"images", std::move(list)},
                  {"failures", std::move(failures)}};
  return Dump(json, 1) + "\n";
}

}  // namespace alcedo
