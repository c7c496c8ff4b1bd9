// Encodings: rows of blocks, from arrays and back.
#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/encoding/encodings.h"
#include "arrays.h"
#include "bindings.h"
#include "scalars.h"

namespace alcedo::python {
namespace {

// Python owns the arrays and may change them: encodings keep values of their own.
template <class Use>
Encodings WithOwnValues(const BagRows& bag, const Use& use) {
  const py::gil_scoped_release release;
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

Encodings OneBlockPerRow(const py::object& values, const py::object& blocks,
                         const py::object& num_blocks) {
  const BagRows rows = RowsFrom(values, "values");
  std::vector<std::int32_t> places = BlocksFrom(blocks, "blocks");
  const Index count = WholeFrom(num_blocks, "num_blocks");
  return WithOwnValues(rows, [&](auto own) {
    return Encodings::OneBlockPerRow(std::move(own), std::move(places), count);
  });
}

Encodings SeveralBlocksPerRow(const py::object& values, const py::object& blocks,
                              const py::object& offsets, const py::object& num_blocks) {
  const BagRows rows = RowsFrom(values, "values");
  std::vector<std::int32_t> places = BlocksFrom(blocks, "blocks");
  std::vector<Index> limits = IndicesFrom(offsets, "offsets");
  const Index count = WholeFrom(num_blocks, "num_blocks");
  return WithOwnValues(rows, [&](auto own) {
    return Encodings::SeveralBlocksPerRow(std::move(own), std::move(places), std::move(limits),
                                          count);
  });
}

// What SeveralBlocksPerRow() takes, which finds out again if rows have one block each.
py::tuple StateOf(const Encodings& encodings) {
  const Index entries = encodings.num_entries();
  py::array_t<std::int32_t> blocks(entries);
  for (Index e = 0; e < entries; ++e) {
    blocks.mutable_at(e) = static_cast<std::int32_t>(encodings.Block(e));
  }
  py::array_t<Index> offsets(encodings.num_rows() + 1);
  for (Index n = 0; n <= encodings.num_rows(); ++n) offsets.mutable_at(n) = encodings.EntryBegin(n);
  const py::array values = encodings.WithValues([&](const auto* numbers) -> py::array {
    using Scalar = std::remove_cvref_t<decltype(*numbers)>;
    return py::array_t<Scalar>({entries, encodings.block_size()}, numbers);
  });
  return py::make_tuple(values, blocks, offsets, encodings.num_blocks());
}

Encodings FromState(const py::tuple& state) {
  if (state.size() != 4) throw py::value_error("this is not the state of Encodings");
  return SeveralBlocksPerRow(state[0], state[1], state[2], state[3]);
}

// All digits, where the library rounds to float.
py::array ToDense(const Encodings& encodings) {
  return encodings.WithValues([&](const auto* values) -> py::array {
    using Scalar = std::remove_cvref_t<decltype(*values)>;
    const Index size = encodings.block_size(), dimension = encodings.dimension();
    py::array_t<Scalar> dense({encodings.num_rows(), dimension});
    Scalar* row = dense.mutable_data();
    const py::ssize_t count = dense.size();
    {
      const py::gil_scoped_release release;
      std::fill_n(row, count, Scalar{0});
      for (Index n = 0; n < encodings.num_rows(); ++n, row += dimension) {
        for (Index e = encodings.EntryBegin(n); e < encodings.EntryBegin(n + 1); ++e) {
          std::copy_n(values + e * size, size, row + encodings.Block(e) * size);
        }
      }
    }
    return dense;
  });
}

// As NumPy asks for it.
py::object AsArrayOf(const Encodings& encodings, const py::object& dtype, const py::object& copy) {
  if (!copy.is_none() && !BoolFrom(copy, "copy")) {
    throw py::value_error("Encodings become an array by a copy only");
  }
  const py::array dense = ToDense(encodings);
  return dtype.is_none() ? py::object(dense) : dense.attr("astype")(dtype);
}

// Some rows, by their numbers.
Encodings SelectRows(const Encodings& encodings, const py::object& rows) {
  const std::vector<Index> numbers = IndicesFrom(rows, "rows");
  const py::gil_scoped_release release;
  return encodings.Select(numbers);
}

constexpr const char* kEncodingsHelp =
    R"(Encodings of the rows of a bag: each has blocks, and zeros elsewhere.

What an `Encoder` gives, and what `pool` takes in place of an array: memory is that of the blocks.

Attributes
----------
shape : tuple
    Rows, and the dimensions of each.
num_blocks, block_size : int
mean_squared_norm : float
    Of the rows.

Examples
--------
>>> import alcedo
>>> encodings = alcedo.Encodings.one_block_per_row([[1.0, 2.0], [3.0, 4.0]], [1, 0], num_blocks=2)
>>> encodings
<alcedo.Encodings: 2 rows of 2 x 2>
>>> alcedo.pool(encodings, "sum")
array([3., 4., 1., 2.])
)";

constexpr const char* kFromDenseHelp = R"(Rows as they are: one block.

Parameters
----------
rows : array of N x D

Examples
--------
>>> import alcedo
>>> alcedo.Encodings.from_dense([[1.0, 2.0], [3.0, 4.0]])
<alcedo.Encodings: 2 rows of 1 x 2>
)";

constexpr const char* kOneBlockHelp = R"(Rows of one block each, such as those of VLAD.

Parameters
----------
values : array of N x block_size
blocks : array of N integers
    From 0 to num_blocks - 1.
num_blocks : int

Examples
--------
>>> import alcedo
>>> alcedo.Encodings.one_block_per_row([[1.0], [2.0]], [2, 0], num_blocks=3).to_dense()
array([[0., 0., 1.],
       [2., 0., 0.]])
)";

constexpr const char* kSeveralBlocksHelp =
    R"(Rows of any number of blocks, such as those of Fisher Vectors.

Parameters
----------
values : array of M x block_size
    The blocks of all rows, one after the other.
blocks : array of M integers
    From 0 to num_blocks - 1, ascending in every row.
offsets : array of N + 1 integers
    Row n has the blocks from offsets[n] to offsets[n + 1].
num_blocks : int

Examples
--------
>>> import alcedo
>>> values, blocks = [[1.0], [2.0], [3.0]], [0, 2, 1]
>>> alcedo.Encodings.several_blocks_per_row(values, blocks, [0, 2, 3], num_blocks=3).to_dense()
array([[1., 0., 2.],
       [0., 3., 0.]])
)";

constexpr const char* kToDenseHelp = R"(An array with all zeros; float64 if the values are.

Examples
--------
>>> import alcedo
>>> alcedo.Encodings.from_dense([[1.0, 2.0]]).to_dense()
array([[1., 2.]])
)";

}  // namespace

void BindEncodings(py::module_& module) {
  py::class_<Encodings>(module, "Encodings", kEncodingsHelp)
      .def_static("from_dense", &FromDense, py::arg("rows"), kFromDenseHelp)
      .def_static("one_block_per_row", &OneBlockPerRow, py::arg("values"), py::arg("blocks"),
                  py::arg("num_blocks"), kOneBlockHelp)
      .def_static("several_blocks_per_row", &SeveralBlocksPerRow, py::arg("values"),
                  py::arg("blocks"), py::arg("offsets"), py::arg("num_blocks"), kSeveralBlocksHelp)
      .def("to_dense", &ToDense, kToDenseHelp)
      .def("__array__", &AsArrayOf, py::arg("dtype") = py::none(), py::arg("copy") = py::none())
      .def(py::pickle(&StateOf, &FromState))
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
  module.def("select_rows", &SelectRows);
}

}  // namespace alcedo::python
