// The parts of the module, one function each.
#pragma once

#include <pybind11/pybind11.h>

namespace alcedo::python {

void BindEncodings(pybind11::module_& module);
void BindPooling(pybind11::module_& module);
void BindKernels(pybind11::module_& module);
void BindAccumulator(pybind11::module_& module);
void BindNormalization(pybind11::module_& module);
void BindWords(pybind11::module_& module);
void BindVocabulary(pybind11::module_& module);
void BindEncoder(pybind11::module_& module);
void BindImages(pybind11::module_& module);
void BindImageEncoder(pybind11::module_& module);
void BindModel(pybind11::module_& module);
void BindStore(pybind11::module_& module);
void BindDatasets(pybind11::module_& module);
void BindSvm(pybind11::module_& module);
void BindAssignments(pybind11::module_& module);
void BindContent(pybind11::module_& module);

}  // namespace alcedo::python
