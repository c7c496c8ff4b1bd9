// What arrays hold, as hashes.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "alcedo/io/checksummed_file.h"
#include "bindings.h"

namespace alcedo::python {
namespace {

namespace py = pybind11;

// 32 hexadecimal digits, of the values in C order and not of the shape or type.
std::string HashOf(const py::array& values) {
  if ((values.flags() & py::array::c_style) == 0)
    throw py::value_error("values must be in C order");
  const std::string_view bytes(static_cast<const char*>(values.data()),
                               static_cast<std::size_t>(values.nbytes()));
  const py::gil_scoped_release release;
  return ContentHash(bytes);
}

}  // namespace

void BindContent(py::module_& module) { module.def("content_hash", &HashOf); }

}  // namespace alcedo::python
