// NumPy arrays as the library sees them: bags of rows, without a copy if their type and order allow
// it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/descriptors.h"
#include "alcedo/encoding/encodings.h"

namespace alcedo::python {

namespace py = pybind11;

// Rows of float or double in memory, one after the other. Keeps the array alive that they are in.
struct BagRows {
  py::object owner;
  const float* floats = nullptr;    // one of the two,
  const double* doubles = nullptr;  // or none if there are no rows
  Index rows = 0, columns = 0;

  bool is_double() const { return doubles != nullptr; }
  // Some of them, in the same memory.
  BagRows Slice(Index begin, Index end) const;
  Encodings Dense() const;
  // use(rows), as the encoders take them: floats in place, doubles rounded in a copy.
  template <class Use>
  auto AsFloats(const Use& use) const {
    if (!is_double()) return use(Eigen::Map<const EigenRows>(floats, rows, columns));
    return use(Rows(Eigen::Map<const EigenMatrix>(doubles, rows, columns).cast<float>()));
  }
};

// What NumPy makes of any array, object with __array__ or nested sequence of numbers. It is asked
// once, since __array__ of a feature store reads all files; of the result it costs nothing.
// TypeError, which begins with `name`, for other types than numbers and for masked values; what an
// object raises instead of an array is passed on.
py::array ArrayFrom(const py::handle& object, const std::string& name);

bool IsList(const py::handle& object);  // or a tuple
// Whether an object knows how to become an array: what it raises says best why it does not.
bool HasArray(const py::handle& object);

// Any array or nested sequence of numbers with two dimensions. float32 and float64 in C order and
// native byte order are taken as they are, others copied once: float16 and integers of at most 16
// bits to float32, other integers to float64. TypeError or ValueError, which begin with `name`, for
// anything else.
BagRows RowsFrom(const py::handle& object, const std::string& name);

// The same with three dimensions: bags x rows x columns, as their rows one after the other.
BagRows BagsFrom(const py::handle& object, const std::string& name, Index* bags);

// A copy of them, as floats.
Rows FloatRowsFrom(const py::handle& object, const std::string& name);

// One dimension.
Vector VectorFrom(const py::handle& object, const std::string& name);
Matrix MatrixFrom(const py::handle& object, const std::string& name);
std::vector<Index> IndicesFrom(const py::handle& object, const std::string& name);
std::vector<std::int32_t> BlocksFrom(const py::handle& object, const std::string& name);

py::array_t<double> ToNumpy(const Vector& vector);
py::array_t<double> ToNumpy(const Matrix& matrix);
py::array_t<float> ToNumpy(const Rows& rows);

// The values of pooled vectors. A number that is finite stays finite: InvalidArgument if it does
// not fit.
void CopyValues(const Matrix& values, double* out);
void CopyValues(const Matrix& values, float* out);

// A name of a file or a class, as Python keeps bytes that may not be UTF-8.
py::str FileName(const std::string& bytes);
// Back to bytes. Whatever no name of a file has, such as half of a surrogate pair, is escaped.
std::string FromPythonText(const py::str& text);

// x, y and size of each.
py::array_t<float> PatchesToNumpy(const std::vector<Patch>& patches);

// The values of an object in place, to read.
template <class Array>
py::array ViewOf(const Array& values, const py::handle& owner) {
  std::vector<py::ssize_t> shape{values.rows()};
  if constexpr (!Array::IsVectorAtCompileTime) shape.push_back(values.cols());
  py::array array(py::dtype::of<typename Array::Scalar>(), shape, values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace alcedo::python
