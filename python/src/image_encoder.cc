// From images to vectors, and to the weights of their patches.
#include "alcedo/encode/image_encoder.h"

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/config/config.h"
#include "alcedo/io/json_text.h"
#include "alcedo/learn/vocabulary.h"
#include "alcedo/weights/patch_weights.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "images.h"

namespace alcedo::python {
namespace {

// The library says in which file a setting is wrong; here there is none.
void UpdateFromSettings(EncodeConfig& config, const std::string& settings) {
  const std::string where = "settings", prefix = where + ": ";
  const auto without = [&](std::string text) {
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  };
  try {
    UpdateFromJson(config, ParseJson(settings, where), where);
  } catch (const InvalidArgument& e) {
    if (e.option().empty()) throw InvalidArgument(without(e.what()), e.hint());
    throw InvalidArgument(without(e.option()), e.rule(), e.value(), e.hint());
  }
}

// The settings as `alcedo encode --config` takes them, as JSON text; by default images and patches
// are those that the vocabulary was learned from.
ImageEncoder MakeImageEncoder(const Vocabulary& vocabulary, const std::string& settings) {
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  UpdateFromSettings(config, settings);
  const py::gil_scoped_release release;
  return ImageEncoder({Channel(vocabulary, config)});
}

const Channel& ChannelOf(const ImageEncoder& encoder) { return encoder.channels()[0]; }

// (values of images x lambdas x dimension, failures, counts of solves)
template <class Scalar>
py::tuple EncodeInto(const ImageEncoder& encoder, const py::list& images, const py::object& threads,
                     const py::object& progress, bool collect) {
  const std::vector<ImageInput> inputs = InputsFrom(images);
  const int most = ThreadsOf(threads);
  const Index dimension = ChannelOf(encoder).dimension();
  const auto poolings = static_cast<Index>(ChannelOf(encoder).poolings().size());
  py::array_t<Scalar> values({static_cast<Index>(inputs.size()), poolings, dimension});
  Scalar* const out = values.mutable_data();
  std::vector<Solves> solves(inputs.size());
  const auto failures = ForEachImage(inputs, most, progress, collect, [&](std::size_t i, int mine) {
    Scalar* const mine_out = out + static_cast<Index>(i) * poolings * dimension;
    std::fill_n(mine_out, poolings * dimension, Scalar{0});
    inputs[i].WithBytes(encoder.max_file_mib(), [&](std::string_view bytes) {
      const ImageVectors vectors = encoder.FromBytes(bytes, inputs[i].name, mine);
      CopyValues(vectors.channels[0].values, mine_out);
      solves[i].Add(vectors.channels[0].reports);
    });
  });
  return py::make_tuple(values, FailuresByNumber(failures), SumOf(solves));
}

// In the type that the settings ask for.
py::tuple EncodeImages(const ImageEncoder& encoder, const py::list& images,
                       const py::object& threads, const py::object& progress, bool collect) {
  if (ChannelOf(encoder).config().dtype == ValueType::kFloat64) {
    return EncodeInto<double>(encoder, images, threads, progress, collect);
  }
  return EncodeInto<float>(encoder, images, threads, progress, collect);
}

// (weights of lambdas x patches, patches, width, height, reports)
py::tuple WeightsOfImage(const ImageEncoder& encoder, const py::tuple& image,
                         const py::object& threads) {
  py::list one;
  one.append(image);
  const std::vector<ImageInput> inputs = InputsFrom(one);
  const int most = ThreadsOf(threads);
  Descriptors descriptors;
  PatchWeights found;
  {
    const py::gil_scoped_release release;
    inputs[0].WithBytes(encoder.max_file_mib(), [&](std::string_view bytes) {
      descriptors = ChannelOf(encoder).describer().FromBytes(bytes, inputs[0].name, most);
    });
    found = ComputePatchWeights(ChannelOf(encoder), descriptors, most);
  }
  return py::make_tuple(ToNumpy(found.weights), PatchesToNumpy(descriptors.patches),
                        descriptors.width, descriptors.height, found.reports);
}

}  // namespace

void BindImageEncoder(py::module_& module) {
  py::class_<ImageEncoder>(module, "ImageEncoder")
      .def(py::init(&MakeImageEncoder))
      .def_property_readonly("dimension",
                             [](const ImageEncoder& e) { return ChannelOf(e).dimension(); })
      .def_property_readonly(
          "config", [](const ImageEncoder& e) { return ToJson(ChannelOf(e).config()).dump(); })
      .def("encode", &EncodeImages)
      .def("weights", &WeightsOfImage);
}

}  // namespace alcedo::python
