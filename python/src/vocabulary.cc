// Vocabularies: a projection and words, in one file.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/version.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/learn/vocabulary.h"
#include "arrays.h"
#include "bindings.h"
#include "images.h"

namespace alcedo::python {
namespace {

// What the words are made for, in the terms of `alcedo learn`.
VocabularyOptions KindOf(const GaussianMixture& mixture) {
  return GmmOptions{.gaussians = static_cast<int>(mixture.size())};
}
VocabularyOptions KindOf(const Codebook& codebook) {
  return KMeansOptions{.clusters = static_cast<int>(codebook.size())};
}
VocabularyOptions KindOf(const Dictionary& dictionary) {
  return DictionaryOptions{.atoms = static_cast<int>(dictionary.size())};
}
VocabularyOptions KindOf(const RandomFourier& fourier) {
  return FourierOptions{.outputs = static_cast<int>(fourier.size()), .sigma = fourier.sigma};
}

template <class Words>
bool Take(const py::object& words, Vocabulary& vocabulary) {
  if (!py::isinstance<Words>(words)) return false;
  vocabulary.words = words.cast<const Words&>();
  vocabulary.config.kind = KindOf(words.cast<const Words&>());
  return true;
}

Index DimensionOf(const SiftOptions&) { return 128; }
Index DimensionOf(const ColorOptions&) { return 96; }
Index DimensionOf(const ExternalOptions&) { return 0; }  // any

// Checks the options of a descriptor, and gives its dimension.
Index CheckDescriptor(const std::string& descriptor, const py::dict& keywords) {
  const DescribeOptions options = DescribeOptionsFrom(descriptor, keywords);
  Check(options);
  return options.descriptor.Visit([](const auto& chosen) { return DimensionOf(chosen); });
}

// What a file would be refused for, and VLAD.
void CheckRotations(const Vocabulary& v) {
  const auto* codebook = std::get_if<Codebook>(&v.words);
  if (codebook == nullptr) throw InvalidArgument("rotations", "go with a Codebook", "");
  const Rows& r = v.vlad_rotations;
  const Index size = codebook->size(), d = codebook->dimension();
  if (r.rows() != size * d || r.cols() != d) {
    throw InvalidArgument(
        "rotations", fmt::format("must be {} x {}, one of {} x {} per word", size * d, d, d, d),
        fmt::format("{} x {}", r.rows(), r.cols()));
  }
  CheckEncoder(VladEncoder{*codebook, {}, r});
}

// descriptor: None for descriptors that come from elsewhere, or the name of one that is computed
// from images, with its options as keywords.
Vocabulary MakeVocabulary(const py::object& words, const py::object& pca,
                          const py::object& rotations, const py::object& descriptor,
                          const py::dict& describe) {
  Vocabulary v;
  if (!Take<GaussianMixture>(words, v) && !Take<Codebook>(words, v) &&
      !Take<Dictionary>(words, v) && !Take<RandomFourier>(words, v)) {
    throw py::type_error("words must be Codebook, GaussianMixture, Dictionary or RandomFourier");
  }
  v.config.pca.dimensions = 0;
  v.training.version = Version();
  v.descriptor_dimension = v.dimension();
  if (!pca.is_none()) {
    v.pca = pca.cast<const Pca&>();
    v.config.pca = {.dimensions = static_cast<int>(v.pca->dimension()), .whiten = v.pca->whiten};
    v.descriptor_dimension = v.pca->input_dimension();
    if (v.pca->dimension() != v.dimension()) {
      throw InvalidArgument(fmt::format("pca gives {} dimensions, and the words have {}",
                                        v.pca->dimension(), v.dimension()));
    }
  }
  if (!rotations.is_none()) {
    v.vlad_rotations = FloatRowsFrom(rotations, "rotations");
    v.config.vlad_rotations = true;
    CheckRotations(v);
  }
  if (descriptor.is_none()) {
    v.config.describe.descriptor = ExternalOptions{};
    return v;
  }
  const auto name = descriptor.cast<std::string>();
  const Index dimension = CheckDescriptor(name, describe);
  if (dimension != v.descriptor_dimension) {
    throw InvalidArgument(
        "descriptor",
        fmt::format("must have the {} dimensions of the vocabulary, and {} has {}",
                    v.descriptor_dimension, name, dimension),
        "");
  }
  v.config.describe = DescribeOptionsFrom(name, describe);
  return v;
}

py::object WordsOf(const Vocabulary& vocabulary) {
  return std::visit([](const auto& words) { return py::cast(words); }, vocabulary.words);
}

void SaveVocabulary(const Vocabulary& vocabulary, const std::string& path) {
  const py::gil_scoped_release release;
  WriteWholeFile(path, VocabularyBytes(vocabulary));
}

}  // namespace

void BindVocabulary(py::module_& module) {
  py::class_<Vocabulary>(module, "Vocabulary")
      .def(py::init(&MakeVocabulary))
      .def_static(
          "open", [](const std::string& name) { return OpenVocabulary(name).vocabulary; },
          py::call_guard<py::gil_scoped_release>())
      .def_static("from_bytes",
                  [](const py::bytes& bytes) {
                    const std::string copy = bytes;
                    const py::gil_scoped_release release;
                    return ReadVocabularyBytes(copy, "");
                  })
      .def("to_bytes",
           [](const Vocabulary& v) {
             std::string bytes;
             {
               const py::gil_scoped_release release;
               bytes = VocabularyBytes(v);
             }
             return py::bytes(bytes);
           })
      .def("save", &SaveVocabulary)
      .def_property_readonly("kind", [](const Vocabulary& v) { return std::string(v.kind().name); })
      .def_property_readonly("words", &WordsOf)
      .def_property_readonly("num_words",
                             [](const Vocabulary& v) {
                               return std::visit([](const auto& w) { return w.size(); }, v.words);
                             })
      .def_readonly("pca", &Vocabulary::pca)
      .def_property_readonly("dimension", &Vocabulary::dimension)
      .def_readonly("descriptor_dimension", &Vocabulary::descriptor_dimension)
      .def_property_readonly("descriptor", [](const Vocabulary& v) {
        return std::string(v.config.describe.descriptor.name());
      });
  module.def("check_descriptor", &CheckDescriptor);
  module.attr("builtin_vocabularies") = BuiltinVocabularyNames();
}

}  // namespace alcedo::python
