#include "alcedo/info/file_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "alcedo/base/utf8.h"
#include "alcedo/config/field_json.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/image/read_image.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/element.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::info {
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

// A config that was stored as JSON, as TOML; as it is if this version does not know all of it.
std::string StoredConfigText(const Json& stored) {
  try {
    EncodeConfig config;
    UpdateFromJson(config, stored, "config");
    return ToToml(config);
  } catch (const Error&) {
    return Dump(stored, 2) + "\n";
  }
}

// Has the name and the failure of every image, of which there may be millions.
constexpr std::int64_t kMaxBeside = std::int64_t{1} << 30;

// Somebody else's file may have the same name, or the same key.
Json JsonOrNothing(std::string_view text) {
  try {
    return ParseJson(text, "");
  } catch (const FormatError&) {
    return {};
  }
}

std::string FirstBytes(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw IoError(file, "cannot be read");
  std::string bytes(64, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

// The encoders that take it, the default one first.
std::string_view Encoders(const GaussianMixture&) {
  return "fv, bov, soft-bov, llc, vlad, sv, emk";
}
std::string_view Encoders(const Codebook&) { return "vlad, bov, soft-bov, llc, sv, emk"; }
std::string_view Encoders(const Dictionary&) { return "sparse, emk"; }
std::string_view Encoders(const RandomFourier&) { return "emk"; }

Json PcaJson(const Vocabulary& vocabulary) {
  if (!vocabulary.pca) return nullptr;
  return {{"dimensions", vocabulary.pca->dimension()},
          {"whiten", vocabulary.pca->whiten},
          {"variance_kept", VarianceKept(*vocabulary.pca)}};
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

FileInfo DescribeVocabulary(const std::string& file, const NamedVocabulary& named) {
  const Vocabulary& vocabulary = named.vocabulary;
  const TrainingRecord& training = vocabulary.training;
  FileInfo info;
  Json json;
  info.title = fmt::format("vocabulary {}", file);
  info.facts = {
      {"kind", fmt::format("{}: {}", vocabulary.kind().name, WordsText(vocabulary))},
      {"descriptors", DescriptorText(vocabulary)},
      {"for encoders", std::string(std::visit([](const auto& words) { return Encoders(words); },
                                              vocabulary.words))},
      {"trained on",
       fmt::format("{} samples of {} images, {} bad images", Thousands(training.samples),
                   Thousands(training.images), Thousands(training.bad_images))}};
  if (const std::string text = TrainingText(vocabulary); !text.empty()) {
    info.facts.emplace_back("training", text);
  }
  if (vocabulary.vlad_rotations.size() > 0) info.facts.emplace_back("rotations", "for vlad");
  info.facts.emplace_back("seed", fmt::format("{}", vocabulary.config.seed));
  info.facts.emplace_back("inputs", training.inputs_hash);
  info.facts.emplace_back("checksum", named.checksum);
  info.facts.emplace_back("made by", "alcedo " + training.version);
  info.appendix = ToToml(vocabulary.config);
  const Index size = std::visit([](const auto& words) { return words.size(); }, vocabulary.words);
  json = {{"kind", "vocabulary"},
          {"words", vocabulary.kind().name},
          {"size", size},
          {"dimension", vocabulary.dimension()},
          {"descriptor", vocabulary.config.describe.descriptor.name()},
          {"descriptor_dimension", vocabulary.descriptor_dimension},
          {"pca", PcaJson(vocabulary)},
          {"vlad_rotations", vocabulary.vlad_rotations.size() > 0},
          {"training",
           {{"images", training.images},
            {"bad_images", training.bad_images},
            {"samples", training.samples},
            {"inputs_hash", training.inputs_hash},
            {"median_distance", JsonNumber(training.median_distance)},
            {"objective", JsonNumber(training.objective)},
            {"iterations", training.iterations},
            {"converged", training.converged},
            {"version", training.version}}},
          {"checksum", named.checksum},
          {"config", ToJson(vocabulary.config)}};
  info.json = Dump(json, 2) + "\n";
  return info;
}

FileInfo DescribeModel(const std::string& file, const Model& model) {
  const ModelTraining& training = model.training;
  FileInfo info;
  Json json;
  info.title = "model " + file;
  const auto classes = static_cast<std::int64_t>(model.classes.size());
  info.facts = {
      {"classes",
       fmt::format("{}{}", Thousands(classes), model.multi_label ? ", several for an image" : "")},
      {"trained on",
       fmt::format("{} images of {}, {} bad images", Thousands(training.images),
                   internal::EscapeText(training.dataset), Thousands(training.bad_images))},
      {"C", fmt::format("{}", training.c)}};
  if (training.folds > 0) {
    info.facts.emplace_back(training.folds == 1 ? "validation" : "cross-validation",
                            fmt::format("{:.1f}% ({})", training.validation, training.metric));
  }
  info.facts.emplace_back("probabilities", model.platt ? "yes" : "no");
  info.facts.emplace_back("seed", fmt::format("{}", training.seed));
  info.facts.emplace_back("made by", "alcedo " + training.version);
  Json names = Json::array(), channels = Json::array();
  for (const std::string& name : model.classes) names.push_back(internal::EscapeText(name));
  for (std::size_t i = 0; i < model.channels.size(); ++i) {
    const ModelChannel& channel = model.channels[i];
    info.facts.emplace_back(
        fmt::format("channel {}", i),
        fmt::format("{}; {}", DescriptorText(channel.vocabulary), WordsText(channel.vocabulary)));
    channels.push_back({{"descriptor", channel.vocabulary.config.describe.descriptor.name()},
                        {"dimension", channel.classifier.weights.cols()},
                        {"config", ToJson(channel.config)}});
    info.appendix +=
        fmt::format("{}# channel {}\n{}", i == 0 ? "" : "\n", i, ToToml(channel.config));
  }
  json = {{"kind", "model"},
          {"classes", std::move(names)},
          {"multi_label", model.multi_label},
          {"channels", std::move(channels)},
          {"fusion_weights", model.fusion_weights},
          {"probabilities", model.platt.has_value()},
          {"training",
           {{"dataset", internal::EscapeText(training.dataset)},
            {"images", training.images},
            {"bad_images", training.bad_images},
            {"test_images", training.test_images},
            {"c", training.c},
            {"metric", training.metric},
            {"folds", training.folds},
            {"validation", training.validation},
            {"seed", training.seed},
            {"version", training.version}}}};
  info.json = Dump(json, 2) + "\n";
  return info;
}

FileInfo DescribeStore(const fs::path& folder) {
  const FeatureStore store = FeatureStore::OpenToRead(folder);
  const StoreHeader& header = store.header();
  const std::size_t images = store.Images().size();
  const std::vector<Failure> failures = store.Failures();
  FileInfo info;
  Json json;
  info.title = "feature store " + folder.string();
  info.values_unchecked = true;
  info.facts = {{"images", Thousands(static_cast<std::int64_t>(images))},
                {"vectors", fmt::format("{} of {}", ShapeText(header.shape), Name(header.type))},
                {"shards", fmt::format("{} of at most {} images", Thousands(store.shards()),
                                       header.images_per_shard)},
                {"failures", fmt::format("{}", failures.size())}};
  json = {{"kind", "feature store"},  {"images", images},
          {"shape", header.shape},    {"type", Name(header.type)},
          {"shards", store.shards()}, {"images_per_shard", header.images_per_shard},
          {"failures", Json::array()}};
  for (const Failure& failure : failures) {
    json["failures"].push_back({{"name", internal::EscapeText(failure.name)},
                                {"reason", internal::EscapeText(failure.reason)}});
  }
  // Stores can be made with the library too, with configs of any kind.
  const Json stored = Json::parse(header.config);
  if (stored.contains("vocabulary_checksum") && stored["vocabulary_checksum"].is_string()) {
    const std::string checksum = stored["vocabulary_checksum"].get<std::string>();
    info.facts.emplace_back("vocabulary", checksum);
    json["vocabulary_checksum"] = checksum;
  }
  const Json& config = stored.contains("config") ? stored["config"] : stored;
  json["config"] = config;
  info.appendix = StoredConfigText(config);
  info.json = Dump(json, 2) + "\n";
  return info;
}

FileInfo DescribeArrays(const fs::path& file) {
  const ArrayReader reader = ArrayReader::Open(file);
  FileInfo info;
  Json json;
  info.title =
      fmt::format("{} in {}", reader.arrays().size() == 1 ? "array" : "arrays", file.string());
  json = {{"kind", "arrays"}, {"arrays", Json::array()}};
  for (const ArrayInfo& array : reader.arrays()) {
    info.facts.emplace_back(
        array.name.empty() ? "shape" : internal::EscapeText(array.name),
        fmt::format("{} of {}", ShapeText(array.shape), internal::ElementName(array.type)));
    json["arrays"].push_back(ArrayJson(array));
  }
  for (const auto& [key, value] : reader.metadata()) json["metadata"][key] = value;
  // What `encode` writes beside a .npy, and into a .safetensors.
  const fs::path beside = file.string() + ".json";
  Json config;
  if (const auto found = reader.metadata().find("config"); found != reader.metadata().end()) {
    config = JsonOrNothing(found->second);
  } else if (std::error_code ignored; fs::is_regular_file(beside, ignored)) {
    const Json header = JsonOrNothing(ReadFileBytes(beside, kMaxBeside));
    if (header.is_object() && header.contains("config")) config = header["config"];
  }
  if (config.is_object()) {
    json["config"] = config;
    info.appendix = StoredConfigText(config);
  }
  info.json = Dump(json, 2) + "\n";
  return info;
}

FileInfo DescribeImageFile(const fs::path& file) {
  const ImageOptions options;
  const Image image = ReadImage(file, options);
  const GridOptions grid;
  const std::size_t patches = MakePatchGrid(image, grid).patches.size();
  const bool scaled = image.width != image.original_width || image.height != image.original_height;
  FileInfo info;
  Json json;
  info.title = "image " + file.string();
  info.facts = {
      {"size", fmt::format("{} x {}, upright", image.original_width, image.original_height)},
      {"channels", image.channels == 1 ? "1, grey" : "3, colour"},
      {"patches",
       fmt::format("{} with the default options{}", Thousands(static_cast<std::int64_t>(patches)),
                   scaled ? fmt::format(", scaled to {} x {} (max_pixels {})", image.width,
                                        image.height, options.max_pixels)
                          : "")}};
  json = {{"kind", "image"},
          {"width", image.original_width},
          {"height", image.original_height},
          {"channels", image.channels},
          {"scaled_width", image.width},
          {"scaled_height", image.height},
          {"max_pixels", options.max_pixels},
          {"patches", patches}};
  info.json = Dump(json, 2) + "\n";
  return info;
}

FileInfo DescribeFile(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  const std::vector<std::string> builtin = BuiltinVocabularyNames();
  if (!fs::exists(status)) {
    if (std::ranges::count(builtin, file) > 0)
      return DescribeVocabulary(file, OpenVocabulary(file));
    throw IoError(file, "cannot be read: " + error.message());
  }
  if (fs::is_directory(status)) return DescribeStore(file);
  const std::string first = FirstBytes(file);
  if (LooksLikeImage(first)) return DescribeImageFile(file);
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
  throw FormatError(file, "is not an image, an array file, a vocabulary or a feature store");
}

}  // namespace alcedo::info
