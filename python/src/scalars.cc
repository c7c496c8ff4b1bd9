#include "scalars.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "arrays.h"

namespace alcedo::python {
namespace {

constexpr std::size_t kLongestShown = 100;

// A value in a sentence. Arrays and long lists would fill the screen.
std::string Shown(const py::handle& value) {
  if (py::isinstance<py::array>(value)) {
    const std::string shape = py::str(value.attr("shape"));
    if (shape != "()") return "an array of shape " + shape;
  }
  try {
    const std::string text = FromPythonText(py::repr(value));
    if (text.size() <= kLongestShown && text.find('\n') == std::string::npos) return text;
  } catch (const py::error_already_set& error) {  // such as that of an int of 5000 digits
    if (!error.matches(PyExc_Exception)) throw;
  }
  return fmt::format("a value of type {}", Py_TYPE(value.ptr())->tp_name);
}

// After a failed call of Python: a TypeError becomes one that names the keyword.
[[noreturn]] void RefuseFailed(const std::string& keyword, const char* type,
                               const py::handle& value) {
  py::error_already_set error;
  if (!error.matches(PyExc_TypeError)) throw error;
  RefuseType(keyword, type, value);
}

double NumberOf(const py::handle& value, const std::string& keyword, const char* type) {
  const bool array =
      py::isinstance<py::array>(value) && py::reinterpret_borrow<py::array>(value).ndim() > 0;
  if (IsBool(value) || array || !PyNumber_Check(value.ptr()) || PyComplex_Check(value.ptr())) {
    RefuseType(keyword, type, value);
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
    PyErr_Clear();
    throw InvalidArgument(keyword, "must be in the range of double", Shown(value));
  }
  RefuseFailed(keyword, type, value);
}

}  // namespace

void RefuseType(const std::string& keyword, const char* type, const py::handle& value) {
  throw py::type_error(fmt::format("{} must be {}, got {}", keyword, type, Shown(value)));
}

bool IsBool(const py::handle& value) {
  const std::string_view type = Py_TYPE(value.ptr())->tp_name;
  return PyBool_Check(value.ptr()) || type == "numpy.bool_" || type == "numpy.bool";
}

double NumberFrom(const py::handle& value, const std::string& keyword) {
  return NumberOf(value, keyword, "a number");
}

py::int_ IntFrom(const py::handle& value, const std::string& keyword) {
  constexpr const char* kType = "a whole number";
  if (IsBool(value) || PyIndex_Check(value.ptr()) == 0) RefuseType(keyword, kType, value);
  auto whole = py::reinterpret_steal<py::int_>(PyNumber_Index(value.ptr()));
  if (!whole) RefuseFailed(keyword, kType, value);
  return whole;
}

Index WholeFrom(const py::handle& value, const std::string& keyword) {
  const py::int_ whole = IntFrom(value, keyword);
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow != 0) RefuseType(keyword, "a whole number of at most 64 bits", whole);
  return number;
}

bool BoolFrom(const py::handle& value, const std::string& keyword) {
  if (!IsBool(value)) RefuseType(keyword, "True or False", value);
  return PyObject_IsTrue(value.ptr()) == 1;
}

std::string TextFrom(const py::handle& value, const std::string& keyword) {
  if (!py::isinstance<py::str>(value)) RefuseType(keyword, "a string", value);
  return FromPythonText(py::reinterpret_borrow<py::str>(value));
}

std::vector<double> NumbersFrom(const py::handle& value, const std::string& keyword,
                                bool* several) {
  constexpr const char* kType = "a number or a list of numbers";
  // What can be iterated over, and is no list.
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) ||
      PyByteArray_Check(value.ptr()) || PyDict_Check(value.ptr()) || PyAnySet_Check(value.ptr())) {
    RefuseType(keyword, kType, value);
  }
  const auto items = py::reinterpret_steal<py::object>(PyObject_GetIter(value.ptr()));
  *several = static_cast<bool>(items);
  if (!items) {
    py::error_already_set error;
    if (!error.matches(PyExc_TypeError)) throw error;
    return {NumberOf(value, keyword, kType)};
  }
  std::vector<double> numbers;
  while (const auto item = py::reinterpret_steal<py::object>(PyIter_Next(items.ptr()))) {
    numbers.push_back(NumberOf(item, keyword, kType));
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return numbers;
}

int ThreadsOf(const py::object& threads) {
  if (threads.is_none()) return HardwareThreads();
  const py::int_ whole = IntFrom(threads, "threads");
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow < 0 || (overflow == 0 && number < 1)) {
    throw InvalidArgument("threads", "must be >= 1", Shown(whole));
  }
  // More than that no computer has; the system would be asked for each.
  constexpr long long kMost = 1024;
  return static_cast<int>(overflow > 0 ? kMost : std::min(number, kMost));
}

}  // namespace alcedo::python
