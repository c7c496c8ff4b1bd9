#include "arrays.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "alcedo/base/error.h"

namespace alcedo::python {
namespace {

// NumPy also has arrays that begin at odd addresses; to read them in place would be undefined.
constexpr int kInOrder =
    py::array::c_style | py::array::forcecast | py::detail::npy_api::NPY_ARRAY_ALIGNED_;

// As NumPy understands it. What has no dtype yet (lists, objects with __array__) gets one.
py::array AsArray(const py::handle& object, const std::string& name) {
  py::array array = py::array::ensure(object);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(name + " must be an array of numbers");
  }
  const char kind = array.dtype().kind();
  if (std::strchr("fiub", kind) == nullptr) {
    throw py::type_error(fmt::format("{} must be an array of real numbers, not of {}", name,
                                     std::string(py::str(array.dtype()))));
  }
  return array;
}

// In C order and native byte order, as float32 if that holds every value, and as float64 otherwise.
py::array AsFloating(const py::array& array) {
  const py::dtype type = array.dtype();
  const bool small = type.kind() == 'f' ? type.itemsize() <= 4 : type.itemsize() <= 2;
  if (small) return py::array_t<float, kInOrder>(array);
  return py::array_t<double, kInOrder>(array);
}

void RequireDimensions(const py::array& array, int dimensions, const std::string& name,
                       const char* shape) {
  if (array.ndim() == dimensions) return;
  throw py::value_error(fmt::format("{} must be {}, got an array of shape {}", name, shape,
                                    std::string(py::str(array.attr("shape")))));
}

BagRows View(const py::array& array, Index rows, Index columns) {
  BagRows bag;
  bag.owner = array;
  bag.rows = rows;
  bag.columns = columns;
  if (array.itemsize() == 4) {
    bag.floats = static_cast<const float*>(array.data());
  } else {
    bag.doubles = static_cast<const double*>(array.data());
  }
  return bag;
}

}  // namespace

BagRows BagRows::Slice(Index begin, Index end) const {
  BagRows slice = *this;
  slice.rows = end - begin;
  if (floats != nullptr) slice.floats += begin * columns;
  if (doubles != nullptr) slice.doubles += begin * columns;
  return slice;
}

Encodings BagRows::Dense() const {
  const auto size = static_cast<std::size_t>(rows * columns);
  if (is_double()) return Encodings::DenseView(std::span(doubles, size), columns);
  return Encodings::DenseView(std::span(floats, size), columns);
}

int DimensionsOf(const py::handle& object) {
  const py::array array = py::array::ensure(object);
  if (!array) PyErr_Clear();
  return array ? static_cast<int>(array.ndim()) : -1;
}

BagRows RowsFrom(const py::handle& object, const std::string& name) {
  const py::array array = AsArray(object, name);
  RequireDimensions(array, 2, name, "rows x dimensions");
  if (array.shape(1) < 1) throw py::value_error(name + " must have at least one column");
  return View(AsFloating(array), array.shape(0), array.shape(1));
}

BagRows BagsFrom(const py::handle& object, const std::string& name, Index* bags) {
  const py::array array = AsArray(object, name);
  RequireDimensions(array, 3, name, "bags x rows x dimensions");
  if (array.shape(2) < 1) throw py::value_error(name + " must have at least one column");
  *bags = array.shape(0);
  return View(AsFloating(array), array.shape(0) * array.shape(1), array.shape(2));
}

Rows FloatRowsFrom(const py::handle& object, const std::string& name) {
  return RowsFrom(object, name).AsFloats([](const RowsView& rows) { return Rows(rows); });
}

Vector VectorFrom(const py::handle& object, const std::string& name) {
  const py::array array = AsArray(object, name);
  RequireDimensions(array, 1, name, "one number per row");
  const py::array_t<double, kInOrder> values(array);
  Vector vector(values.size());
  std::copy_n(values.data(), values.size(), vector.data());
  return vector;
}

Matrix MatrixFrom(const py::handle& object, const std::string& name) {
  const py::array array = AsArray(object, name);
  RequireDimensions(array, 2, name, "a matrix");
  const py::array_t<double, kInOrder> values(array);
  Matrix matrix(values.shape(0), values.shape(1));
  std::copy_n(values.data(), values.size(), matrix.data());
  return matrix;
}

std::vector<Index> IndicesFrom(const py::handle& object, const std::string& name) {
  const py::array array = AsArray(object, name);
  RequireDimensions(array, 1, name, "a list of whole numbers");
  if (array.size() > 0 && std::strchr("iu", array.dtype().kind()) == nullptr) {
    throw py::type_error(name + " must be whole numbers");
  }
  const py::array_t<std::int64_t, kInOrder> values(array);
  return {values.data(), values.data() + values.size()};
}

std::vector<std::int32_t> BlocksFrom(const py::handle& object, const std::string& name) {
  const std::vector<Index> wide = IndicesFrom(object, name);
  std::vector<std::int32_t> blocks;
  blocks.reserve(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    // What does not fit is out of range for every number of blocks.
    const bool fits = wide[i] >= 0 && wide[i] <= std::numeric_limits<std::int32_t>::max();
    if (!fits) throw py::value_error(fmt::format("{}[{}] is {}, not a block", name, i, wide[i]));
    blocks.push_back(static_cast<std::int32_t>(wide[i]));
  }
  return blocks;
}

py::array_t<double> ToNumpy(const Vector& vector) {
  return py::array_t<double>(vector.size(), vector.data());
}

py::array_t<double> ToNumpy(const Matrix& matrix) {
  return py::array_t<double>({matrix.rows(), matrix.cols()}, matrix.data());
}

py::array_t<float> ToNumpy(const Rows& rows) {
  return py::array_t<float>({rows.rows(), rows.cols()}, rows.data());
}

void CopyValues(const Matrix& values, double* out) {
  std::copy_n(values.data(), values.size(), out);
}

void CopyValues(const Matrix& values, float* out) {
  for (const double value : values.reshaped<Eigen::RowMajor>()) {
    if (std::abs(value) > std::numeric_limits<float>::max()) {
      throw InvalidArgument(
          "dtype",
          fmt::format("must be float64: a vector has {:g}, which float32 cannot hold", value), "");
    }
    *out++ = static_cast<float>(value);
  }
}

py::str FileName(const std::string& bytes) {
  PyObject* text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

std::string FromPythonText(const py::str& text) {
  for (const char* errors : {"surrogateescape", "backslashreplace"}) {
    const auto bytes =
        py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", errors));
    if (bytes) return bytes;
    PyErr_Clear();
  }
  throw std::bad_alloc();
}

py::array_t<float> PatchesToNumpy(const std::vector<Patch>& patches) {
  py::array_t<float> array({static_cast<py::ssize_t>(patches.size()), py::ssize_t{3}});
  float* out = array.mutable_data();
  for (const Patch& patch : patches) {
    *out++ = patch.x;
    *out++ = patch.y;
    *out++ = patch.size;
  }
  return array;
}

}  // namespace alcedo::python
