// From descriptors to encodings.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/encode/make_encoder.h"
#include "bags.h"
#include "bindings.h"
#include "encoder.h"
#include "options.h"

namespace alcedo::python {
namespace {

// "auto" as what the vocabulary is made for, whose options are then known.
std::string ChosenName(const Vocabulary& vocabulary, const std::string& name) {
  if (name != AutoEncoderOptions::kLabel.name) return name;
  EncoderOptions options;
  options.Choose<AutoEncoderOptions>();
  MakeEncoder(vocabulary, options, 0);
  return std::string(options.name());
}

EncoderOptions EncoderFrom(const std::string& name, const py::dict& keywords) {
  EncoderOptions choice;
  ChooseByName(choice, "encoder", name);
  const EncoderOptions::Variant chosen = choice.Chosen();
  return std::visit(
      [&]<class Options>(const Options&) -> EncoderOptions {
        return OptionsFrom<Options>(keywords, "encoder '" + name + "'");
      },
      chosen);
}

BagEncoder MakeBagEncoder(const Vocabulary& vocabulary, const std::string& name, std::uint64_t seed,
                          const py::object& threads, const py::dict& keywords) {
  EncoderOptions options = EncoderFrom(ChosenName(vocabulary, name), keywords);
  options.Visit([](const auto& chosen) { CheckMember(chosen); });
  const int most = ThreadsOf(threads);
  const py::gil_scoped_release release;
  Encoder encoder = MakeEncoder(vocabulary, options, seed);
  return {std::string(options.name()), vocabulary.pca, PreparedEncoder(std::move(encoder), most)};
}

// Encodings of one bag, or a list of them.
py::object EncodeBags(const py::object& encoder, const py::object& rows, const py::object& offsets,
                      const py::object& threads, const py::object& progress) {
  const int most = ThreadsOf(threads);
  const Bags bags = BagsOf(rows, offsets, py::none(), 0, encoder);
  std::vector<std::optional<Encodings>> encoded(bags.bags.size());
  ForEachBag(bags, most, progress,
             [&](std::size_t i, int mine) { encoded[i] = bags.EncodingsOf(i, mine); });
  py::list list;
  for (std::optional<Encodings>& one : encoded) list.append(py::cast(std::move(*one)));
  return bags.single ? py::object(list[0]) : py::object(list);
}

}  // namespace

void BindEncoder(py::module_& module) {
  py::class_<BagEncoder>(module, "Encoder")
      .def(py::init(&MakeBagEncoder))
      .def_readonly("name", &BagEncoder::name)
      .def_property_readonly("dimension", [](const BagEncoder& e) { return e.encoder.dimension(); })
      .def_property_readonly("descriptor_dimension", &BagEncoder::descriptor_dimension);
  module.def("encode", &EncodeBags);
  module.def("encoder_names", &NamesOf<EncoderOptions>);
  module.def("encoder_fields", &FieldsOfMember<EncoderOptions>);
}

}  // namespace alcedo::python
