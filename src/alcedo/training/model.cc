#include "alcedo/training/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "alcedo/base/types.h"
#include "alcedo/base/utf8.h"
#include "alcedo/config/field_json.h"
#include "alcedo/encode/channel.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/json_text.h"
#include "alcedo/learn/vocabulary_bytes.h"

namespace alcedo {
namespace {

using internal::AppendVocabulary;
using internal::CheckArrays;
using internal::CheckFormat;
using internal::CheckSeal;
using internal::EscapeText;
using internal::kModelFormat;
using internal::kNoChecksum;
using internal::LoadVocabulary;
using internal::Metadata;
using internal::Required;
using internal::Seal;
using internal::UnescapeText;

template <class Visitor>
void VisitFields(ModelTraining& t, Visitor&& visit) {
  visit("dataset", t.dataset, "");
  visit("images", t.images, "");
  visit("bad_images", t.bad_images, "");
  visit("test_images", t.test_images, "");
  visit("c", t.c, "");
  visit("metric", t.metric, "");
  visit("folds", t.folds, "");
  visit("validation", t.validation, "");
  visit("seed", t.seed, "");
  visit("version", t.version, "");
}

constexpr const char* kPictures = "training.pictures";

std::string Prefix(std::size_t channel) { return fmt::format("channel{}.", channel); }

ArrayToWrite ArrayOf(const std::string& name, const Rows& rows) {
  return {name,
          {rows.rows(), rows.cols()},
          ElementType::kFloat32,
          {reinterpret_cast<const char*>(rows.data()),
           static_cast<std::size_t>(rows.size()) * sizeof(float)}};
}

ArrayToWrite ArrayOf(const std::string& name, const Vector& v) {
  return {name,
          {v.size()},
          ElementType::kFloat64,
          {reinterpret_cast<const char*>(v.data()),
           static_cast<std::size_t>(v.size()) * sizeof(double)}};
}

ArrayToWrite ArrayOf(const std::string& name, const std::vector<std::int64_t>& v) {
  return {name,
          {static_cast<Index>(v.size())},
          ElementType::kInt64,
          {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(std::int64_t)}};
}

std::size_t FindArray(const ArrayReader& reader, const std::string& name, ElementType type,
                      std::size_t dimensions) {
  const std::size_t array = reader.Find(name);
  const ArrayInfo& info = reader.arrays()[array];
  if (info.type != type || info.shape.size() != dimensions) {
    throw FormatError(reader.file_name(),
                      fmt::format("array {} has the wrong type or shape", name));
  }
  return array;
}

Vector ReadVector(const ArrayReader& reader, const std::string& name) {
  const std::vector<double> values =
      reader.ReadDoubles(FindArray(reader, name, ElementType::kFloat64, 1));
  return Eigen::Map<const EigenVector>(values.data(), static_cast<Index>(values.size()));
}

// The parts of the header that say what else there is.
Json HeaderOf(const Model& model) {
  Json classes = Json::array();
  // Names of folders are bytes.
  for (const std::string& name : model.classes) classes.push_back(EscapeText(name));
  Json weights = Json::array();
  for (const double weight : model.fusion_weights) weights.push_back(weight);
  return {{"classes", std::move(classes)},
          {"multi_label", model.multi_label},
          {"channels", model.channels.size()},
          {"fusion_weights", std::move(weights)},
          {"probabilities", model.platt.has_value()}};
}

// Gives the number of channels: memory is taken for those that are there, not for those claimed.
std::uint64_t ReadHeader(const Json& header, Model& model) {
  for (const Json& text : header.at("classes")) {
    const std::optional<std::string> name = UnescapeText(text.get<std::string>());
    if (!name) throw InvalidArgument("the name of a class has an unknown escape");
    model.classes.push_back(*name);
  }
  model.multi_label = header.at("multi_label").get<bool>();
  if (!header.at("channels").is_number_unsigned()) {
    throw InvalidArgument("channels must be an integer >= 0");
  }
  model.fusion_weights = header.at("fusion_weights").get<std::vector<double>>();
  if (header.at("probabilities").get<bool>()) model.platt.emplace();
  return header.at("channels").get<std::uint64_t>();
}

void ReadTraining(const Json& json, ModelTraining& training) {
  for (const auto& [key, value] : json.items()) {
    FieldFromJson reader(key, value, fmt::format("training.{}", key));
    VisitFields(training, reader);
  }
  training.dataset = UnescapeText(training.dataset).value_or(training.dataset);
}

void Fits(bool ok, const std::string& what) {
  if (!ok) throw InvalidArgument(what);
}

void CheckChannel(const ModelChannel& channel, Index classes) {
  Fits(channel.config.lambdas.size() <= 1, "a channel gives more than one vector per image");
  const LinearModel& classifier = channel.classifier;
  Fits(classifier.weights.rows() == classes && classifier.bias.size() == classes,
       "a classifier does not fit the classes");
  Fits(classifier.weights.allFinite() && classifier.bias.allFinite(),
       "the weights of a classifier must be finite");
  Fits(classifier.weights.cols() == Channel(channel.vocabulary, channel.config).dimension(),
       "a classifier does not fit its vectors");
}

void CheckModel(const Model& model) {
  const auto classes = static_cast<Index>(model.classes.size());
  Fits(classes >= 1, "a model must have a class");
  Fits(std::set<std::string>(model.classes.begin(), model.classes.end()).size() ==
           model.classes.size(),
       "two classes have one name");
  Fits(!model.channels.empty(), "a model must have a channel");
  Fits(std::ranges::is_sorted(model.training.pictures), "hashes of images must be sorted");
  Fits(model.fusion_weights.empty() || model.fusion_weights.size() == model.channels.size(),
       "there must be one weight per channel");
  for (const ModelChannel& channel : model.channels) CheckChannel(channel, classes);
  if (model.platt) {
    Fits(model.platt->a.size() == classes && model.platt->b.size() == classes,
         "the probabilities do not fit the classes");
    Fits(model.platt->a.allFinite() && model.platt->b.allFinite(),
         "the parameters of probabilities must be finite");
  }
}

}  // namespace

std::string ModelBytes(const Model& model) {
  CheckModel(model);
  std::vector<ArrayToWrite> arrays;
  Metadata metadata{{"format", std::string(kModelFormat.format)},
                    {"format_version", std::to_string(kModelFormat.version)},
                    {"checksum", std::string(kNoChecksum)},
                    {"model", HeaderOf(model).dump()}};
  ModelTraining training = model.training;
  training.dataset = EscapeText(training.dataset);
  Json json;
  VisitFields(training, FieldsToJson{json});
  metadata["training"] = json.dump();
  for (std::size_t i = 0; i < model.channels.size(); ++i) {
    const ModelChannel& channel = model.channels[i];
    AppendVocabulary(channel.vocabulary, Prefix(i) + "vocabulary.", arrays, metadata);
    metadata[Prefix(i) + "config"] = ToJson(channel.config).dump();
    arrays.push_back(ArrayOf(Prefix(i) + "classifier.weights", channel.classifier.weights));
    arrays.push_back(ArrayOf(Prefix(i) + "classifier.bias", channel.classifier.bias));
  }
  if (model.platt) {
    arrays.push_back(ArrayOf("platt.a", model.platt->a));
    arrays.push_back(ArrayOf("platt.b", model.platt->b));
  }
  if (!model.training.pictures.empty()) {
    arrays.push_back(ArrayOf(kPictures, model.training.pictures));
  }
  return Seal(SafetensorsBytes(arrays, metadata));
}

Model ReadModelBytes(std::string bytes, const std::string& name) {
  CheckArrays(bytes, kModelFormat, name);
  // A reader of a copy: the checksum is told by the bytes as they were.
  const ArrayReader reader = ArrayReader::FromBytes(bytes, name);
  const Metadata& metadata = reader.metadata();
  CheckFormat(metadata, kModelFormat, name);
  CheckSeal(bytes, Required(metadata, "checksum", name), name);
  std::string().swap(bytes);
  Model model;
  try {
    const std::uint64_t channels =
        ReadHeader(ParseJson(Required(metadata, "model", name), name), model);
    ReadTraining(ParseJson(Required(metadata, "training", name), name), model.training);
    for (std::uint64_t i = 0; i < channels; ++i) {
      ModelChannel& channel = model.channels.emplace_back();
      channel.vocabulary = LoadVocabulary(reader, Prefix(i) + "vocabulary.");
      UpdateFromJson(channel.config,
                     ParseJson(Required(metadata, Prefix(i) + "config", name), name), "config");
      channel.classifier.weights = reader.ReadRows(
          FindArray(reader, Prefix(i) + "classifier.weights", ElementType::kFloat32, 2));
      channel.classifier.bias = ReadVector(reader, Prefix(i) + "classifier.bias");
    }
    if (model.platt) {
      model.platt->a = ReadVector(reader, "platt.a");
      model.platt->b = ReadVector(reader, "platt.b");
    }
    const auto is_pictures = [](const ArrayInfo& info) { return info.name == kPictures; };
    if (std::ranges::any_of(reader.arrays(), is_pictures)) {
      model.training.pictures =
          reader.ReadIntegers(FindArray(reader, kPictures, ElementType::kInt64, 1));
    }
    CheckModel(model);
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(name,
                      fmt::format("the header is not what it should be: {}", JsonProblem(error)));
  } catch (const InvalidArgument& error) {
    throw FormatError(name, error.what());
  }
  return model;
}

Model ReadModel(const std::filesystem::path& path) {
  return ReadModelBytes(internal::ReadSealedFile(path, kMaxModelBytes, internal::kModelFormat),
                        path.string());
}

}  // namespace alcedo
