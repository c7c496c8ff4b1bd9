#include "errors.h"

#include <stdexcept>

#include "alcedo/base/error.h"
#include "arrays.h"

namespace alcedo::python {

namespace py = pybind11;

std::string KeywordOf(const std::string& option) {
  const std::string field = option.substr(option.rfind('.') + 1);
  return field == "lambda" ? "lambda_" : field;
}

namespace {

// Raises alcedo.errors.NAME(*parts). Names of files need not be UTF-8.
template <class... Parts>
void Raise(const char* name, const Parts&... parts) {
  const py::object type = py::module_::import("alcedo.errors").attr(name);
  const py::object error = type(FileName(parts)...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

std::string HintText(const Hint& hint) {
  if (hint.option.empty()) return hint.text;
  const std::string setting = KeywordOf(hint.option) + (hint.value.empty() ? "" : "=" + hint.value);
  return hint.text.empty() ? setting : hint.text + " " + setting;
}

}  // namespace

void TranslateErrors() {
  py::register_exception_translator([](std::exception_ptr error) {
    if (!error) return;
    try {
      std::rethrow_exception(error);
    } catch (const InvalidArgument& e) {
      const std::string option = e.option().empty() ? "" : KeywordOf(e.option());
      const std::string rule = e.option().empty() ? e.what() : e.rule();
      Raise("InvalidArgument", option, rule, e.value(), HintText(e.hint()));
    } catch (const IoError& e) {
      Raise("IoError", e.file(), e.reason(), HintText(e.hint()));
    } catch (const FileError& e) {
      Raise("FormatError", e.file(), e.reason(), HintText(e.hint()));
    } catch (const py::cast_error&) {  // pybind11 would make RuntimeError of it
      PyErr_SetString(PyExc_TypeError, "an argument is of another type than this function takes");
    } catch (const std::length_error&) {  // longer than any memory
      PyErr_NoMemory();
    }
  });
}

}  // namespace alcedo::python
