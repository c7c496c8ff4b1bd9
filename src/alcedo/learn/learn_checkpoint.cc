#include "alcedo/learn/learn_checkpoint.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/vocabulary/dictionary.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo::internal {
namespace {

constexpr std::string_view kStateFormat = "alcedo-learn-state-1";

// The arrays of a model. One list serves writing, reading and hashing.
template <class Model, class Visitor>
void VisitArrays(Model& model, Visitor&& visit) {
  using M = std::remove_const_t<Model>;
  if constexpr (std::is_same_v<M, GaussianMixture>) {
    visit("gmm.weights", model.weights);
    visit("gmm.means", model.means);
    visit("gmm.variances", model.variances);
  } else if constexpr (std::is_same_v<M, Codebook>) {
    visit("kmeans.centers", model.centers);
    visit("kmeans.weights", model.weights);
  } else {
    static_assert(std::is_same_v<M, Dictionary>);
    visit("dictionary.atoms", model.atoms);
  }
}

template <class Array>
std::string_view Bytes(const Array& array) {
  return {reinterpret_cast<const char*>(array.data()),
          static_cast<std::size_t>(array.size()) * sizeof(typename Array::Scalar)};
}

template <class Model>
std::map<std::string, std::string> StateMetadata(const Checkpoint<Model>& checkpoint,
                                                 const std::string& identity) {
  std::map<std::string, std::string> metadata = {
      {"format", std::string(kStateFormat)},
      {"identity", identity},
      {"iteration", std::to_string(checkpoint.iteration)}};
  std::string hashes;
  for (const auto& [key, value] : metadata) hashes += key + value;
  VisitArrays(checkpoint.model, [&](const char* name, const auto& array) {
    hashes += fmt::format("{}{}x{}{}", name, array.rows(), array.cols(), ContentHash(Bytes(array)));
  });
  metadata["checksum"] = ContentHash(hashes);
  return metadata;
}

struct StateLoader {
  const ArrayReader& reader;

  void operator()(const char* name, Rows& rows) const { rows = reader.ReadRows(reader.Find(name)); }
  void operator()(const char* name, Vector& vector) const {
    const std::vector<double> values = reader.ReadDoubles(reader.Find(name));
    vector = Eigen::Map<const EigenVector>(values.data(), static_cast<Index>(values.size()));
  }
};

}  // namespace

template <class Model>
std::string CheckpointBytes(const Checkpoint<Model>& checkpoint, const std::string& identity) {
  std::vector<ArrayToWrite> arrays;
  VisitArrays(checkpoint.model, [&]<class Array>(const char* name, const Array& array) {
    if constexpr (std::is_same_v<Array, Vector>) {
      arrays.push_back({name, {array.size()}, ElementType::kFloat64, Bytes(array)});
    } else {
      arrays.push_back({name, {array.rows(), array.cols()}, ElementType::kFloat32, Bytes(array)});
    }
  });
  return SafetensorsBytes(arrays, StateMetadata(checkpoint, identity));
}

template <class Model>
std::optional<Checkpoint<Model>> ParseCheckpoint(std::string bytes, const std::string& identity) {
  try {
    const ArrayReader reader = ArrayReader::FromBytes(std::move(bytes), "checkpoint");
    const std::map<std::string, std::string>& metadata = reader.metadata();
    Checkpoint<Model> checkpoint;
    checkpoint.iteration = std::stoi(metadata.at("iteration"));
    VisitArrays(checkpoint.model, StateLoader{reader});
    if (StateMetadata(checkpoint, identity) == metadata) return checkpoint;
  } catch (const Error&) {
  } catch (const std::logic_error&) {  // a missing key, or what is no number
  }
  return std::nullopt;
}

template std::string CheckpointBytes(const Checkpoint<GaussianMixture>&, const std::string&);
template std::optional<Checkpoint<GaussianMixture>> ParseCheckpoint(std::string,
                                                                    const std::string&);
template std::string CheckpointBytes(const Checkpoint<Codebook>&, const std::string&);
template std::optional<Checkpoint<Codebook>> ParseCheckpoint(std::string, const std::string&);
template std::string CheckpointBytes(const Checkpoint<Dictionary>&, const std::string&);
template std::optional<Checkpoint<Dictionary>> ParseCheckpoint(std::string, const std::string&);

}  // namespace alcedo::internal
