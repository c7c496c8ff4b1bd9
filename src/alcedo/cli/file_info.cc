#include "alcedo/cli/file_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "alcedo/cli/json.h"
#include "alcedo/cli/text.h"
#include "alcedo/cli/vocabulary_text.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/read_image.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/element.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/store/feature_store.h"
#include "alcedo/base/escape.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

std::string ShapeText(const std::vector<Index>& shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " x "));
}

Json ArrayJson(const ArrayInfo& array) {
  return {{"name", internal::EscapeText(array.name)},
          {"shape", array.shape},
          {"type", internal::ElementName(array.type)}};
}

// A config that was stored as JSON, as TOML; as it is where this version does not know all of it.
std::string StoredConfigText(const Json& stored) {
  try {
    EncodeConfig config;
    UpdateFromJson(config, stored, "config");
    return ToToml(config);
  } catch (const Error&) {
    return Dump(stored, 2) + "\n";
  }
}

std::string FirstBytes(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw IoError(fmt::format("cannot read {}", file));
  std::string bytes(64, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

}  // namespace

std::string FileInfoText(const FileInfo& info) {
  std::size_t width = 0;
  for (const auto& [name, value] : info.facts) width = std::max(width, name.size());
  std::string text = OneLine(info.title) + "\n";
  for (const auto& [name, value] : info.facts) {
    text += fmt::format("  {:<{}}  {}\n", name, width, OneLine(value));
  }
  return info.appendix.empty() ? text : text + "\n" + info.appendix;
}

FileInfo DescribeStore(const fs::path& folder) {
  const FeatureStore store = FeatureStore::OpenToRead(folder);
  const StoreHeader& header = store.header();
  const std::size_t images = store.Images().size();
  const std::vector<StoreEntry> failures = store.Failures();
  FileInfo info;
  info.title = "feature store " + folder.string();
  info.facts = {{"images", Thousands(static_cast<std::int64_t>(images))},
                {"vectors", fmt::format("{} of {}", ShapeText(header.shape), Name(header.type))},
                {"shards", fmt::format("{} of at most {} images", Thousands(store.shards()),
                                       header.images_per_shard)},
                {"failures", fmt::format("{}", failures.size())}};
  info.json = {{"kind", "feature store"},  {"images", images},
               {"shape", header.shape},    {"type", Name(header.type)},
               {"shards", store.shards()}, {"images_per_shard", header.images_per_shard},
               {"failures", Json::array()}};
  for (const StoreEntry& entry : failures) {
    info.json["failures"].push_back({{"name", internal::EscapeText(entry.name)},
                                     {"reason", internal::EscapeText(entry.failure)}});
  }
  // Stores can be made with the library too, with configs of any kind.
  const Json& stored = header.config;
  if (stored.contains("vocabulary_checksum") && stored["vocabulary_checksum"].is_string()) {
    const std::string checksum = stored["vocabulary_checksum"].get<std::string>();
    info.facts.emplace_back("vocabulary", checksum);
    info.json["vocabulary_checksum"] = checksum;
  }
  const Json& config = stored.contains("config") ? stored["config"] : stored;
  info.json["config"] = config;
  info.appendix = StoredConfigText(config);
  return info;
}

FileInfo DescribeArrays(const fs::path& file) {
  const ArrayReader reader = ArrayReader::Open(file);
  FileInfo info;
  info.title =
      fmt::format("{} in {}", reader.arrays().size() == 1 ? "array" : "arrays", file.string());
  info.json = {{"kind", "arrays"}, {"arrays", Json::array()}};
  for (const ArrayInfo& array : reader.arrays()) {
    info.facts.emplace_back(
        array.name.empty() ? "shape" : internal::EscapeText(array.name),
        fmt::format("{} of {}", ShapeText(array.shape), internal::ElementName(array.type)));
    info.json["arrays"].push_back(ArrayJson(array));
  }
  for (const auto& [key, value] : reader.metadata()) info.json["metadata"][key] = value;
  // What `encode` writes beside a .npy, and into a .safetensors.
  const fs::path beside = file.string() + ".json";
  Json config;
  if (const auto found = reader.metadata().find("config"); found != reader.metadata().end()) {
    config = Json::parse(found->second, nullptr, false);
  } else if (std::ifstream stream(beside); stream) {
    const Json header = Json::parse(stream, nullptr, false);
    if (header.is_object() && header.contains("config")) config = header["config"];
  }
  if (config.is_object()) {
    info.json["config"] = config;
    info.appendix = StoredConfigText(config);
  }
  return info;
}

FileInfo DescribePicture(const fs::path& file) {
  const ImageOptions options;
  const Image image = ReadImage(file, options);
  const GridOptions grid;
  const std::size_t patches = MakePatchGrid(image, grid).patches.size();
  const bool scaled = image.width != image.original_width || image.height != image.original_height;
  FileInfo info;
  info.title = "picture " + file.string();
  info.facts = {
      {"size", fmt::format("{} x {}, upright", image.original_width, image.original_height)},
      {"channels", image.channels == 1 ? "1, grey" : "3, colour"},
      {"patches",
       fmt::format("{} with the default options{}", Thousands(static_cast<std::int64_t>(patches)),
                   scaled ? fmt::format(", scaled to {} x {} (--max-pixels {})", image.width,
                                        image.height, options.max_pixels)
                          : "")}};
  info.json = {{"kind", "picture"},
               {"width", image.original_width},
               {"height", image.original_height},
               {"channels", image.channels},
               {"scaled_width", image.width},
               {"scaled_height", image.height},
               {"max_pixels", options.max_pixels},
               {"patches", patches}};
  return info;
}

FileInfo DescribeFile(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  const std::vector<std::string> builtin = BuiltinVocabularyNames();
  if (!fs::exists(status)) {
    if (std::ranges::count(builtin, file) > 0)
      return DescribeVocabulary(file, OpenVocabulary(file));
    throw IoError(fmt::format("cannot read {}: {}", file, error.message()));
  }
  if (fs::is_directory(status)) return DescribeStore(file);
  const std::string first = FirstBytes(file);
  if (LooksLikeImage(first)) return DescribePicture(file);
  if (LooksLikeArrays(first)) {
    const ArrayReader reader = ArrayReader::Open(file);
    const auto format = reader.metadata().find("format");
    if (format != reader.metadata().end() && format->second == "alcedo-vocabulary") {
      // A path, whatever builtin vocabularies are called.
      return DescribeVocabulary(file, OpenVocabulary(fs::absolute(file).string()));
    }
    if (format != reader.metadata().end() && format->second == "alcedo-model") {
      return DescribeModel(file, ReadModel(file));
    }
    return DescribeArrays(file);
  }
  throw FormatError(file + " is no picture, no array file, no vocabulary and no feature store");
}

}  // namespace alcedo::cli
