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

// Null and a Python error for what NumPy does not understand.
py::array Convert(const py::handle& object, int flags) {
  return py::reinterpret_steal<py::array>(
      py::detail::npy_api::get().PyArray_FromAny_(object.ptr(), nullptr, 0, 0, flags, nullptr));
}

// Whether it is an array of numpy.ma with masked values. Anything but such an array is found out
// without a call of Python.
bool IsMasked(const py::handle& object) {
  const auto& numpy = py::detail::npy_api::get();
  if (!py::isinstance<py::array>(object) || reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) ==
                                                reinterpret_cast<PyObject*>(numpy.PyArray_Type_)) {
    return false;
  }
  return py::module_::import("numpy").attr("ma").attr("is_masked")(object).cast<bool>();
}

void RefuseMasked(const py::handle& object, const std::string& name) {
  bool masked = IsMasked(object);
  if (IsList(object)) {
    for (const py::handle item : py::reinterpret_borrow<py::object>(object)) {
      masked = masked || IsMasked(item);
    }
  }
  if (masked) {
    throw py::type_error(name + " is a masked array with masked values; fill or drop them first");
  }
}

// Throws the Python error of a conversion, and in place of what NumPy says of lists and other
// objects one sentence with that as its cause. Ctrl-C, errors of memory and of the package, and
// what the object says itself are as they are.
[[noreturn]] void RefuseConversion(const py::handle& object, const std::string& name) {
  py::error_already_set error;
  const bool of_lists = error.matches(PyExc_TypeError) || error.matches(PyExc_ValueError);
  const py::object own = py::module_::import("alcedo.errors").attr("AlcedoError");
  if (!of_lists || error.matches(own) || HasArray(object)) throw error;
  py::raise_from(error, PyExc_TypeError, (name + " must be an array of numbers").c_str());
  throw py::error_already_set();
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

bool IsList(const py::handle& object) {
  return py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object);
}

bool HasArray(const py::handle& object) {
  return py::hasattr(object, "__array__") || py::hasattr(object, "__array_interface__");
}

py::array ArrayFrom(const py::handle& object, const std::string& name) {
  RefuseMasked(object, name);
  // First as it is: what __array__ gives can be masked, too.
  py::array array = Convert(object, 0);
  if (!array) RefuseConversion(object, name);
  RefuseMasked(array, name);
  array = Convert(array, py::detail::npy_api::NPY_ARRAY_ENSUREARRAY_);
  if (!array) throw py::error_already_set();
  const char kind = array.dtype().kind();
  if (std::strchr("fiub", kind) == nullptr) {
    throw py::type_error(fmt::format("{} must be an array of real numbers, not of {}", name,
                                     std::string(py::str(array.dtype()))));
  }
  return array;
}

BagRows RowsFrom(const py::handle& object, const std::string& name) {
  const py::array array = ArrayFrom(object, name);
  RequireDimensions(array, 2, name, "rows x dimensions");
  if (array.shape(1) < 1) throw py::value_error(name + " must have at least one column");
  return View(AsFloating(array), array.shape(0), array.shape(1));
}

BagRows BagsFrom(const py::handle& object, const std::string& name, Index* bags) {
  const py::array array = ArrayFrom(object, name);
  RequireDimensions(array, 3, name, "bags x rows x dimensions");
  if (array.shape(2) < 1) throw py::value_error(name + " must have at least one column");
  *bags = array.shape(0);
  return View(AsFloating(array), array.shape(0) * array.shape(1), array.shape(2));
}

Rows FloatRowsFrom(const py::handle& object, const std::string& name) {
  return RowsFrom(object, name).AsFloats([](const RowsView& rows) { return Rows(rows); });
}

Vector VectorFrom(const py::handle& object, const std::string& name) {
  const py::array array = ArrayFrom(object, name);
  RequireDimensions(array, 1, name, "one number per row");
  const py::array_t<double, kInOrder> values(array);
  Vector vector(values.size());
  std::copy_n(values.data(), values.size(), vector.data());
  return vector;
}

Matrix MatrixFrom(const py::handle& object, const std::string& name) {
  const py::array array = ArrayFrom(object, name);
  RequireDimensions(array, 2, name, "a matrix");
  const py::array_t<double, kInOrder> values(array);
  Matrix matrix(values.shape(0), values.shape(1));
  std::copy_n(values.data(), values.size(), matrix.data());
  return matrix;
}

std::vector<Index> IndicesFrom(const py::handle& object, const std::string& name) {
  const py::array array = ArrayFrom(object, name);
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
