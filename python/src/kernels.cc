// Weights from a kernel matrix alone.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "alcedo/pooling/democratic.h"
#include "alcedo/pooling/gmp_weights.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

py::tuple WeightsFromKernel(const py::object& kernel, double lambda, bool nonnegative,
                            const py::object& threads, const py::dict& keywords) {
  auto options = OptionsFrom<GmpOptions>(keywords, "weights_from_kernel");
  options.lambda = lambda;
  options.threads = ThreadsOf(threads);
  const Matrix matrix = MatrixFrom(kernel, "kernel");
  WeightsResult result;
  {
    const py::gil_scoped_release release;
    result = nonnegative ? GmpWeightsNonNegative(matrix, options) : GmpWeights(matrix, options);
  }
  return py::make_tuple(ToNumpy(result.weights), result.report);
}

py::tuple DemocraticFromKernel(const py::object& kernel, const py::object& threads,
                               const py::dict& keywords) {
  auto options = OptionsFrom<DemocraticOptions>(keywords, "democratic");
  options.threads = ThreadsOf(threads);
  const Matrix matrix = MatrixFrom(kernel, "kernel");
  WeightsResult result;
  {
    const py::gil_scoped_release release;
    result = DemocraticWeights(matrix, options);
  }
  return py::make_tuple(ToNumpy(result.weights), result.report);
}

}  // namespace

void BindKernels(py::module_& module) {
  module.def("weights_from_kernel", &WeightsFromKernel);
  module.def("democratic_from_kernel", &DemocraticFromKernel);
}

}  // namespace alcedo::python
