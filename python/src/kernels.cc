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

// `own` are the keywords of the function in Python.
py::tuple WeightsFromKernel(const py::object& kernel, const py::object& lambda,
                            const py::object& nonnegative, const py::object& threads,
                            const py::dict& keywords, const std::vector<std::string>& own) {
  auto options = OptionsFrom<GmpOptions>(keywords, "weights_from_kernel", own);
  const bool only_positive = BoolFrom(nonnegative, "nonnegative");
  options.lambda = NumberFrom(lambda, "lambda_");
  options.threads = ThreadsOf(threads);
  const Matrix matrix = MatrixFrom(kernel, "kernel");
  WeightsResult result;
  {
    const py::gil_scoped_release release;
    result = only_positive ? GmpWeightsNonNegative(matrix, options) : GmpWeights(matrix, options);
  }
  return py::make_tuple(ToNumpy(result.weights), result.report);
}

py::tuple DemocraticFromKernel(const py::object& kernel, const py::object& threads,
                               const py::dict& keywords, const std::vector<std::string>& own) {
  auto options = OptionsFrom<DemocraticOptions>(keywords, "democratic", own);
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
