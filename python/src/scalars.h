// Single values of Python as C++ has them: a wrong one is one sentence that begins with its
// keyword.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo::python {

namespace py = pybind11;

// TypeError: "KEYWORD must be TYPE, got VALUE". Arrays are told by their shape.
[[noreturn]] void RefuseType(const std::string& keyword, const char* type, const py::handle& value);

// True and False, also NumPy's.
bool IsBool(const py::handle& value);

// NumPy's numbers count, and True does not.
double NumberFrom(const py::handle& value, const std::string& keyword);
Index WholeFrom(const py::handle& value, const std::string& keyword);
bool BoolFrom(const py::handle& value, const std::string& keyword);
std::string TextFrom(const py::handle& value, const std::string& keyword);

// A number, or a list, an array or another sequence of numbers; sets whether it was several.
std::vector<double> NumbersFrom(const py::handle& value, const std::string& keyword, bool* several);

// The int of what counts as one: TypeError for True, 2.0 and "2".
py::int_ IntFrom(const py::handle& value, const std::string& keyword);

// None: all there are.
int ThreadsOf(const py::object& threads);

}  // namespace alcedo::python
