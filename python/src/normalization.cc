// Power and L2 normalisation of vectors and of the rows of arrays, and spatial pyramids.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/pyramid.h"
#include "arrays.h"
#include "bindings.h"
#include "scalars.h"

namespace alcedo::python {
namespace {

// Every row in double, whatever the type of the array. NaN is refused and never comes out.
template <class Scalar, class Use>
void ForEveryRow(py::array_t<Scalar>& values, const Use& use) {
  const Index count = values.shape(0), size = values.shape(1);
  Scalar* row = values.mutable_data();
  const py::gil_scoped_release release;
  Vector v(size);
  for (Index n = 0; n < count; ++n, row += size) {
    for (Index i = 0; i < size; ++i) {
      v[i] = row[i];
      if (std::isfinite(v[i])) continue;
      throw InvalidArgument(
          fmt::format("values must be finite: row {}, column {} is {}", n, i, v[i]));
    }
    use(v);
    for (Index i = 0; i < size; ++i) row[i] = static_cast<Scalar>(v[i]);
  }
}

// An array of vectors as the rows of one with two dimensions; reshape(-1, ...) does not know how
// many there are if they have no numbers.
py::object AlongLastAxis(const py::array& array) {
  Index count = 1;
  for (int axis = 0; axis + 1 < array.ndim(); ++axis) count *= array.shape(axis);
  return array.attr("reshape")(count, array.shape(array.ndim() - 1));
}

// block_size: 0 if there are no blocks.
py::array Normalized(const py::object& values, const NormalizationOptions& options,
                     Index block_size) {
  Check(options);
  const py::array array = ArrayFrom(values, "values");
  if (array.ndim() < 1) {
    throw py::value_error("values must be a vector, or an array of vectors along its last axis");
  }
  const BagRows rows = RowsFrom(AlongLastAxis(array), "values");
  const auto normalize = [&](Vector& v) {
    Normalize(v, options, {.cells = 1, .block_size = std::max<Index>(1, block_size)});
  };
  const auto result = [&](auto copy) -> py::array {
    ForEveryRow(copy, normalize);
    return copy.attr("reshape")(array.attr("shape"));
  };
  const std::vector<Index> shape{rows.rows, rows.columns};
  // Without an owner the array is a copy.
  if (rows.is_double()) return result(py::array_t<double>(shape, rows.doubles));
  return result(py::array_t<float>(shape, rows.floats));
}

py::array PowerNormalized(const py::object& values, const py::object& power) {
  return Normalized(values, {NumberFrom(power, "power"), false, false}, 0);
}

py::array L2Normalized(const py::object& values, const py::object& block_size) {
  const Index size = WholeFrom(block_size, "block_size");
  if (size < 0) throw InvalidArgument("block_size", "must be >= 0", fmt::format("{}", size));
  return Normalized(values, {1.0, size > 0, size == 0}, size);
}

// Any numbers, checked and asked for once.
py::array AsArray(const py::object& object, const std::string& name) {
  return ArrayFrom(object, name);
}

py::list CellsOf(const py::object& pyramid) {
  py::list cells;
  for (const PyramidCell& cell : ParsePyramid(TextFrom(pyramid, "pyramid")).cells) {
    cells.append(py::make_tuple(cell.left, cell.top, cell.right, cell.bottom));
  }
  return cells;
}

// The numbers of the rows of every cell.
std::vector<std::vector<Index>> RowsOfPyramid(const py::object& pyramid,
                                              const py::object& positions) {
  const Matrix xy = MatrixFrom(positions, "positions");
  if (xy.cols() != 2) throw py::value_error("positions must be rows x 2, x and y in [0, 1]");
  std::vector<RelativePosition> places;
  for (Index n = 0; n < xy.rows(); ++n) places.push_back({xy(n, 0), xy(n, 1)});
  return RowsOfCells(ParsePyramid(TextFrom(pyramid, "pyramid")), places);
}

}  // namespace

void BindNormalization(py::module_& module) {
  module.def("power_normalized", &PowerNormalized);
  module.def("l2_normalized", &L2Normalized);
  module.def("as_array", &AsArray);
  module.def("pyramid_cells", &CellsOf);
  module.def("pyramid_rows", &RowsOfPyramid);
}

}  // namespace alcedo::python
