// The compiled half of the package: arrays in, arrays out. What a person calls, and its
// documentation, is in alcedo/*.py.
#include <pybind11/pybind11.h>

#include "alcedo/base/parallel.h"
#include "alcedo/base/version.h"
#include "bindings.h"
#include "errors.h"

PYBIND11_MODULE(_alcedo, module) {
  using namespace alcedo::python;
  module.attr("__version__") = alcedo::Version();
  module.def("hardware_threads", [] { return alcedo::HardwareThreads(); });
  TranslateErrors();
  BindEncodings(module);
  BindPooling(module);
  BindKernels(module);
  BindAccumulator(module);
  BindNormalization(module);
  BindWords(module);
  BindVocabulary(module);
  BindEncoder(module);
  BindImages(module);
  BindImageEncoder(module);
  BindModel(module);
  BindStore(module);
  BindDatasets(module);
  BindSvm(module);
  BindAssignments(module);
  BindContent(module);
}
