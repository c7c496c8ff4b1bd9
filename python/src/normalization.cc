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

namespace alcedo::python {
namespace {

// Every row in double, whatever the type of the array. NaN is refused and never comes out.
template <class Scalar, class Use>
void ForEveryRow(py::array_t<Scalar>& values, const Use& use) {
  const Index size = values.ndim() == 1 ? values.shape(0) : values.shape(1);
  const Index count = values.ndim() == 1 ? 1 : values.shape(0);
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

py::array Normalized(const py::object& values, double power, Index block_size, bool l2) {
  NormalizationOptions options{power, block_size > 0, l2};
  Check(options);
  const int dimensions = DimensionsOf(values);
  if (dimensions != 1 && dimensions != 2) {
    throw py::value_error("values must be a vector, or an array with a vector in every row");
  }
  const py::object rows =
      dimensions == 1 ? py::module_::import("numpy").attr("atleast_2d")(values) : values;
  const BagRows bag = RowsFrom(rows, "values");
  const auto normalize = [&](Vector& v) {
    Normalize(v, options, {.cells = 1, .block_size = std::max<Index>(1, block_size)});
  };
  const auto result = [&](auto copy) -> py::array {
    ForEveryRow(copy, normalize);
    return dimensions == 1 ? py::array(copy.attr("reshape")(-1)) : py::array(copy);
  };
  const std::vector<Index> shape{bag.rows, bag.columns};
  // Without an owner the array is a copy.
  if (bag.is_double()) return result(py::array_t<double>(shape, bag.doubles));
  return result(py::array_t<float>(shape, bag.floats));
}

py::list CellsOf(const std::string& pyramid) {
  py::list cells;
  for (const PyramidCell& cell : ParsePyramid(pyramid).cells) {
    cells.append(py::make_tuple(cell.left, cell.top, cell.right, cell.bottom));
  }
  return cells;
}

// The numbers of the rows of every cell.
std::vector<std::vector<Index>> RowsOfPyramid(const std::string& pyramid,
                                              const py::object& positions) {
  const Matrix xy = MatrixFrom(positions, "positions");
  if (xy.cols() != 2) throw py::value_error("positions must be rows x 2, x and y in [0, 1]");
  std::vector<RelativePosition> places;
  for (Index n = 0; n < xy.rows(); ++n) places.push_back({xy(n, 0), xy(n, 1)});
  return RowsOfCells(ParsePyramid(pyramid), places);
}

}  // namespace

void BindNormalization(py::module_& module) {
  module.def("normalized", &Normalized);
  module.def("pyramid_cells", &CellsOf);
  module.def("pyramid_rows", &RowsOfPyramid);
}

}  // namespace alcedo::python
