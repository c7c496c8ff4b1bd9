// GMP of a stream.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "alcedo/base/error.h"
#include "alcedo/pooling/accumulator.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

using Layout = GmpAccumulator::Layout;

GmpAccumulator Make(Index block_size, Index num_blocks, bool several_blocks_per_row) {
  return GmpAccumulator(
      num_blocks, block_size,
      several_blocks_per_row ? Layout::kSeveralBlocksPerRow : Layout::kOneBlockPerRow);
}

void Add(GmpAccumulator& accumulator, const py::object& rows, const py::object& blocks) {
  const Bags bags =
      BagsOf(rows, py::none(), blocks, blocks.is_none() ? 0 : accumulator.num_blocks());
  for (std::size_t i = 0; i < bags.bags.size(); ++i) {
    const Encodings encodings = bags.EncodingsOf(i);
    // Another thread may add, too: one after the other, under the lock of the interpreter.
    accumulator.Add(encodings);
  }
}

py::tuple Result(const GmpAccumulator& accumulator, const std::vector<double>& lambdas,
                 const py::object& threads, const py::dict& keywords) {
  auto options = OptionsFrom<GmpOptions>(keywords, "result");
  options.threads = ThreadsOf(threads);
  const GmpPath path = accumulator.Solve(ForLambdas(lambdas, options));
  return py::make_tuple(ToNumpy(path.phi), path.reports);
}

}  // namespace

void BindAccumulator(py::module_& module) {
  py::class_<GmpAccumulator>(module, "Accumulator")
      .def(py::init(&Make))
      .def("add", &Add)
      .def("merge", &GmpAccumulator::Merge)
      .def("result", &Result)
      .def("sum", [](const GmpAccumulator& a) { return ToNumpy(a.sum()); })
      .def_property_readonly("num_rows", &GmpAccumulator::num_rows)
      .def_property_readonly("num_blocks", &GmpAccumulator::num_blocks)
      .def_property_readonly("block_size", &GmpAccumulator::block_size)
      .def("to_bytes", [](const GmpAccumulator& a) { return py::bytes(a.ToBytes()); })
      .def_static("from_bytes", [](const py::bytes& bytes) {
        const std::string_view view = bytes;
        return GmpAccumulator::FromBytes(std::span(view.data(), view.size()));
      });
}

}  // namespace alcedo::python
