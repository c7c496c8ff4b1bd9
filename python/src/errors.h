// Errors of the library as Python exceptions, with their parts as attributes.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace alcedo::python {

// What an option is called in Python: its field, without the section; "lambda" is a word of the
// language, and is called lambda_.
std::string KeywordOf(const std::string& option);

// InvalidArgument, FormatError and IoError become the classes of that name in alcedo/errors.py.
void TranslateErrors();

}  // namespace alcedo::python
