#include "alcedo/learn/vocabulary_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "alcedo/base/types.h"
#include "alcedo/config/field_json.h"
#include "alcedo/io/json_text.h"

namespace alcedo {
namespace {

using internal::Metadata;
using internal::Required;

template <class Visitor>
void VisitFields(TrainingRecord& r, Visitor&& visit) {
  visit("images", r.images, "");
  visit("bad_images", r.bad_images, "");
  visit("samples", r.samples, "");
  visit("inputs_hash", r.inputs_hash, "");
  visit("median_distance", r.median_distance, "");
  visit("objective", r.objective, "");
  visit("iterations", r.iterations, "");
  visit("converged", r.converged, "");
  visit("version", r.version, "");
}

// The arrays of a vocabulary by name. One list serves writing and reading.
template <class Visitor>
void VisitWords(GaussianMixture& m, Visitor&& visit) {
  visit("gmm.weights", m.weights);
  visit("gmm.means", m.means);
  visit("gmm.variances", m.variances);
}
template <class Visitor>
void VisitWords(Codebook& c, Visitor&& visit) {
  visit("kmeans.centers", c.centers);
  visit("kmeans.weights", c.weights);
}
template <class Visitor>
void VisitWords(Dictionary& d, Visitor&& visit) {
  visit("dictionary.atoms", d.atoms);
}
template <class Visitor>
void VisitWords(RandomFourier& f, Visitor&& visit) {
  visit("fourier.frequencies", f.frequencies);
  visit("fourier.phases", f.phases);
}
template <class Visitor>
void VisitArrays(Vocabulary& v, Visitor&& visit) {
  if (v.pca) {
    visit("pca.mean", v.pca->mean);
    visit("pca.components", v.pca->components);
    visit("pca.variances", v.pca->variances);
  }
  std::visit([&](auto& words) { VisitWords(words, visit); }, v.words);
  if (v.vlad_rotations.size() > 0) visit("vlad.rotations", v.vlad_rotations);
}

struct ArrayCollector {
  const std::string& prefix;
  std::vector<ArrayToWrite>& arrays;

  template <class T>
  static std::string_view Bytes(const T& values) {
    return {reinterpret_cast<const char*>(values.data()),
            static_cast<std::size_t>(values.size()) * sizeof(typename T::Scalar)};
  }
  void operator()(const char* name, const Rows& rows) const {
    arrays.push_back(
        {prefix + name, {rows.rows(), rows.cols()}, ElementType::kFloat32, Bytes(rows)});
  }
  void operator()(const char* name, const Vector& v) const {
    arrays.push_back({prefix + name, {v.size()}, ElementType::kFloat64, Bytes(v)});
  }
};

struct ArrayLoader {
  const std::string& prefix;
  const ArrayReader& reader;

  void Check(const std::string& name, std::size_t array, ElementType type,
             std::size_t dimensions) const {
    const ArrayInfo& info = reader.arrays()[array];
    if (info.type != type || info.shape.size() != dimensions) {
      throw FormatError(reader.file_name(),
                        fmt::format("array {} has the wrong type or shape", name));
    }
  }
  void operator()(const char* name, Rows& rows) const {
    const std::size_t array = reader.Find(prefix + name);
    Check(prefix + name, array, ElementType::kFloat32, 2);
    rows = reader.ReadRows(array);
  }
  void operator()(const char* name, Vector& v) const {
    const std::size_t array = reader.Find(prefix + name);
    Check(prefix + name, array, ElementType::kFloat64, 1);
    const std::vector<double> values = reader.ReadDoubles(array);
    v = Eigen::Map<const EigenVector>(values.data(), static_cast<Index>(values.size()));
  }
};

void Fits(bool ok, const std::string& name, const char* what) {
  if (!ok) throw FormatError(name, what);
}

void CheckWords(const GaussianMixture& mixture) { CheckGaussianMixture(mixture); }
void CheckWords(const Codebook& codebook) {
  if (codebook.weights.size() != codebook.size()) {
    throw InvalidArgument("there must be one weight per centre");
  }
}
void CheckWords(const Dictionary&) {}
void CheckWords(const RandomFourier& fourier) {
  if (fourier.phases.size() != fourier.size()) {
    throw InvalidArgument("there must be one phase per frequency");
  }
}

// Sizes that contradict each other would be read beyond their end later.
void CheckVocabulary(const Vocabulary& v, const std::string& name) {
  try {
    std::visit([](const auto& words) { CheckWords(words); }, v.words);
  } catch (const InvalidArgument& error) {
    throw FormatError(name, error.what());
  }
  const Index size = std::visit([](const auto& words) { return words.size(); }, v.words);
  Fits(size >= 1 && v.dimension() >= 1, name, "the vocabulary is empty");
  if (v.pca) {
    const Pca& pca = *v.pca;
    Fits(pca.mean.size() == pca.input_dimension() && pca.variances.size() == pca.dimension(), name,
         "the arrays of the PCA do not fit each other");
    Fits(pca.dimension() == v.dimension(), name, "the PCA does not fit the vocabulary");
  }
  Fits(v.descriptor_dimension == (v.pca ? v.pca->input_dimension() : v.dimension()), name,
       "the descriptors do not fit the vocabulary");
  Fits(v.vlad_rotations.size() == 0 || (v.vlad_rotations.rows() == size * v.dimension() &&
                                        v.vlad_rotations.cols() == v.dimension()),
       name, "the rotations do not fit the vocabulary");
}

// What each kind of vocabulary is made of.
GaussianMixture EmptyModel(const GmmOptions&) { return {}; }
Codebook EmptyModel(const KMeansOptions&) { return {}; }
Dictionary EmptyModel(const DictionaryOptions&) { return {}; }
RandomFourier EmptyModel(const FourierOptions&) { return {.frequencies = {}, .phases = {}}; }

// The parts of the header that say what else there is.
void ReadHeader(const Metadata& metadata, const std::string& prefix, const std::string& name,
                Vocabulary& v) {
  UpdateFromJson(v.config, ParseJson(Required(metadata, prefix + "config", name), name), "config");
  const Json training = ParseJson(Required(metadata, prefix + "training", name), name);
  for (const auto& [key, value] : training.items()) {
    FieldFromJson reader(key, value, fmt::format("training.{}", key));
    VisitFields(v.training, reader);
  }
  const Json words = ParseJson(Required(metadata, prefix + "words", name), name);
  const Json& dimension = words.at("descriptor_dimension");
  if (!dimension.is_number_unsigned()) {
    throw InvalidArgument("descriptor_dimension must be an integer >= 0");
  }
  v.descriptor_dimension = dimension.get<Index>();
  if (words.contains("pca")) {
    v.pca.emplace();
    v.pca->whiten = words["pca"].at("whiten").get<bool>();
    v.pca->total_variance = words["pca"].at("total_variance").get<double>();
  }
  v.config.kind.Visit([&](const auto& options) { v.words = EmptyModel(options); });
  if (auto* fourier = std::get_if<RandomFourier>(&v.words)) fourier->sigma = words.at("sigma");
  // A place for the rotations, so that they are asked for below.
  if (words.value("vlad_rotations", false)) v.vlad_rotations.resize(1, 1);
}

}  // namespace

std::string VocabularyBytes(const Vocabulary& vocabulary) {
  std::vector<ArrayToWrite> arrays;
  Metadata metadata{{"format", std::string(internal::kVocabularyFormat.format)},
                    {"format_version", std::to_string(internal::kVocabularyFormat.version)},
                    {"checksum", std::string(internal::kNoChecksum)}};
  internal::AppendVocabulary(vocabulary, "", arrays, metadata);
  return internal::Seal(SafetensorsBytes(arrays, metadata));
}

namespace internal {

void AppendVocabulary(const Vocabulary& vocabulary, const std::string& prefix,
                      std::vector<ArrayToWrite>& arrays, Metadata& metadata) {
  // The lists of fields and arrays are for reading too; nothing is changed here.
  auto& v = const_cast<Vocabulary&>(vocabulary);
  VisitArrays(v, ArrayCollector{prefix, arrays});
  Json words;
  words["descriptor_dimension"] = v.descriptor_dimension;
  if (v.pca) {
    words["pca"]["whiten"] = v.pca->whiten;
    words["pca"]["total_variance"] = v.pca->total_variance;
  }
  if (const auto* fourier = std::get_if<RandomFourier>(&v.words)) words["sigma"] = fourier->sigma;
  if (v.vlad_rotations.size() > 0) words["vlad_rotations"] = true;
  Json training;
  VisitFields(v.training, FieldsToJson{training});
  metadata[prefix + "config"] = ToJson(v.config).dump();
  metadata[prefix + "training"] = training.dump();
  metadata[prefix + "words"] = words.dump();
}

Vocabulary LoadVocabulary(const ArrayReader& reader, const std::string& prefix) {
  const std::string& name = reader.file_name();
  Vocabulary vocabulary;
  try {
    ReadHeader(reader.metadata(), prefix, name, vocabulary);
    VisitArrays(vocabulary, ArrayLoader{prefix, reader});
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(name,
                      fmt::format("the header is not what it should be: {}", JsonProblem(error)));
  } catch (const InvalidArgument& error) {
    throw FormatError(name, error.what());
  }
  CheckVocabulary(vocabulary, name);
  return vocabulary;
}

NamedVocabulary ParseVocabulary(std::string bytes, const std::string& name) {
  CheckArrays(bytes, kVocabularyFormat, name);
  // A reader of a copy: the checksum is told by the bytes as they were.
  const ArrayReader reader = ArrayReader::FromBytes(bytes, name);
  CheckFormat(reader.metadata(), kVocabularyFormat, name);
  NamedVocabulary result;
  result.checksum = Required(reader.metadata(), "checksum", name);
  CheckSeal(bytes, result.checksum, name);
  result.vocabulary = LoadVocabulary(reader, "");
  return result;
}

}  // namespace internal
}  // namespace alcedo
