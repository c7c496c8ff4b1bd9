// Encodings: rows of blocks, from arrays and back.
#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include "alcedo/base/error.h"
#include "alcedo/encoding/encodings.h"
#include "arrays.h"
#include "bindings.h"

namespace alcedo::python {
namespace {

// Python owns the arrays and may change them: encodings keep values of their own.
template <class Use>
Encodings WithOwnValues(const BagRows& bag, const Use& use) {
  if (bag.is_double()) {
    Matrix values(bag.rows, bag.columns);
    std::copy_n(bag.doubles, bag.rows * bag.columns, values.data());
    return use(std::move(values));
  }
  Rows values(bag.rows, bag.columns);
  std::copy_n(bag.floats, bag.rows * bag.columns, values.data());
  return use(std::move(values));
}

Encodings FromDense(const py::object& rows) {
  return WithOwnValues(RowsFrom(rows, "rows"),
                       [](auto values) { return Encodings::Dense(std::move(values)); });
}

Encodings OneBlockPerRow(const py::object& values, const py::object& blocks, Index num_blocks) {
  return WithOwnValues(RowsFrom(values, "values"), [&](auto own) {
    return Encodings::OneBlockPerRow(std::move(own), BlocksFrom(blocks, "blocks"), num_blocks);
  });
}

Encodings SeveralBlocksPerRow(const py::object& values, const py::object& blocks,
                              const py::object& offsets, Index num_blocks) {
  return WithOwnValues(RowsFrom(values, "values"), [&](auto own) {
    return Encodings::SeveralBlocksPerRow(std::move(own), BlocksFrom(blocks, "blocks"),
                                          IndicesFrom(offsets, "offsets"), num_blocks);
  });
}

}  // namespace

void BindEncodings(py::module_& module) {
  py::class_<Encodings>(module, "Encodings")
      .def_static("from_dense", &FromDense, py::arg("rows"))
      .def_static("one_block_per_row", &OneBlockPerRow, py::arg("values"), py::arg("blocks"),
                  py::arg("num_blocks"))
      .def_static("several_blocks_per_row", &SeveralBlocksPerRow, py::arg("values"),
                  py::arg("blocks"), py::arg("offsets"), py::arg("num_blocks"))
      .def("to_dense", [](const Encodings& e) { return ToNumpy(e.ToDense()); })
      .def("__len__", &Encodings::num_rows)
      .def_property_readonly(
          "shape", [](const Encodings& e) { return py::make_tuple(e.num_rows(), e.dimension()); })
      .def_property_readonly("num_blocks", &Encodings::num_blocks)
      .def_property_readonly("block_size", &Encodings::block_size)
      .def_property_readonly("mean_squared_norm", &Encodings::mean_squared_norm)
      .def("__repr__", [](const Encodings& e) {
        return fmt::format("<alcedo.Encodings: {} rows of {} x {}>", e.num_rows(), e.num_blocks(),
                           e.block_size());
      });
}

}  // namespace alcedo::python
