// Which words rows belong to: nearest centres, and posteriors of a mixture.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/vocabulary/gmm_scorer.h"
#include "alcedo/vocabulary/nearest_centers.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"

namespace alcedo::python {
namespace {

py::array_t<std::int32_t> NearestWords(const Codebook& codebook, const py::object& rows,
                                       const py::object& threads) {
  const BagRows samples = RowsFrom(rows, "rows");
  const int most = ThreadsOf(threads);
  std::vector<std::int32_t> words;
  {
    const py::gil_scoped_release release;
    words = samples.AsFloats(
        [&](const RowsView& floats) { return AssignNearest(codebook.centers, floats, most); });
  }
  return py::array_t<std::int32_t>(static_cast<py::ssize_t>(words.size()), words.data());
}

// (n x G posteriors, mean log-likelihood)
py::tuple PosteriorsOf(const GaussianMixture& mixture, const py::object& rows,
                       const py::object& threads) {
  const BagRows samples = RowsFrom(rows, "rows");
  const int most = ThreadsOf(threads);
  if (samples.columns != mixture.dimension()) {
    throw InvalidArgument("rows", "must have the dimension of the mixture",
                          std::to_string(samples.columns));
  }
  GmmScorer::Posteriors found;
  {
    const py::gil_scoped_release release;
    const GmmScorer scorer(mixture);
    found = samples.AsFloats([&](const RowsView& floats) {
      return scorer.Compute(floats.data(), floats.rows(), 0, most);
    });
  }
  py::array_t<float> posteriors({samples.rows, mixture.size()});
  float* out = posteriors.mutable_data();
  std::fill_n(out, posteriors.size(), 0.0F);
  for (Index n = 0; n < samples.rows; ++n, out += mixture.size()) {
    for (Index e = found.offsets[n]; e < found.offsets[n + 1]; ++e) {
      out[found.gaussian[e]] = found.posterior[e];
    }
  }
  return py::make_tuple(posteriors, found.mean_log_likelihood);
}

}  // namespace

void BindAssignments(py::module_& module) {
  module.def("nearest_words", &NearestWords);
  module.def("posteriors", &PosteriorsOf);
}

}  // namespace alcedo::python
