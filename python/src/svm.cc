// Linear SVMs, one against the rest: from rows, or from products of rows.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/linear_svm.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

SvmOptions SvmOptionsFrom(const py::dict& keywords, const py::object& threads) {
  auto options = OptionsFrom<SvmOptions>(keywords, "an SVM");
  options.threads = ThreadsOf(threads);
  return options;
}

std::vector<int> LabelsFrom(const py::object& labels) {
  const std::vector<std::int32_t> values = BlocksFrom(labels, "labels");
  return {values.begin(), values.end()};
}

// The problems of the classes. Of two classes it is one problem: the second against the first.
Targets ProblemsOf(const std::vector<int>& labels, int classes) {
  Targets all = OneVsRest(labels, classes);
  return classes == 2 ? Targets(all.bottomRows(1)) : all;
}

// (weights, biases, report)
py::tuple TrainSvm(const py::object& rows, const py::object& labels, int classes,
                   const py::object& threads, const py::dict& keywords) {
  const SvmOptions options = SvmOptionsFrom(keywords, threads);
  const BagRows samples = RowsFrom(rows, "rows");
  const std::vector<int> own = LabelsFrom(labels);
  LinearModel model;
  SvmReport report;
  {
    const py::gil_scoped_release release;
    const Targets targets = ProblemsOf(own, classes);
    model = samples.AsFloats(
        [&](const RowsView& floats) { return TrainLinearSvm(floats, targets, options, &report); });
  }
  return py::make_tuple(ToNumpy(model.weights), ToNumpy(model.bias), report);
}

// Samples x problems.
py::array_t<double> ScoreRows(const py::object& weights, const py::object& biases,
                              const py::object& rows, const py::object& threads) {
  const LinearModel model{FloatRowsFrom(weights, "weights"), VectorFrom(biases, "biases")};
  const BagRows samples = RowsFrom(rows, "rows");
  const int most = ThreadsOf(threads);
  Matrix scores;
  {
    const py::gil_scoped_release release;
    scores = samples.AsFloats([&](const RowsView& floats) { return Scores(model, floats, most); });
  }
  return ToNumpy(scores);
}

// (coefficients, bias, report)
py::tuple TrainKernelSvm(const py::object& gram, const py::object& labels, int classes,
                         const py::object& threads, const py::dict& keywords) {
  const SvmOptions options = SvmOptionsFrom(keywords, threads);
  const BagRows products = RowsFrom(gram, "products");
  const std::vector<int> own = LabelsFrom(labels);
  KernelModel model;
  SvmReport report;
  {
    const py::gil_scoped_release release;
    const Targets targets = ProblemsOf(own, classes);
    model = products.AsFloats(
        [&](const RowsView& floats) { return TrainGramSvm(floats, targets, options, &report); });
  }
  return py::make_tuple(ToNumpy(model.coefficients), model.bias, report);
}

// Samples x problems, from the products of the samples with the training samples.
py::array_t<double> ScoreProducts(const py::object& coefficients, double bias,
                                  const py::object& products, const py::object& threads) {
  const KernelModel model{MatrixFrom(coefficients, "coefficients"), bias};
  const BagRows cross = RowsFrom(products, "products");
  const int most = ThreadsOf(threads);
  Matrix scores;
  {
    const py::gil_scoped_release release;
    scores = cross.AsFloats([&](const RowsView& floats) { return Scores(model, floats, most); });
  }
  return ToNumpy(scores);
}

}  // namespace

void BindSvm(py::module_& module) {
  py::class_<SvmReport>(module, "SvmReport")
      .def_readonly("iterations", &SvmReport::iterations)
      .def_readonly("gap", &SvmReport::gap)
      .def_readonly("converged", &SvmReport::converged)
      .def_property_readonly("solver",
                             [](const SvmReport& r) { return std::string(Name(r.solver)); });
  module.def("train_svm", &TrainSvm);
  module.def("score_rows", &ScoreRows);
  module.def("train_kernel_svm", &TrainKernelSvm);
  module.def("score_products", &ScoreProducts);
  module.def("svm_fields", [] {
    py::list fields;
    SvmOptions options;
    VisitFields(options, DescribeFields{fields});
    return fields;
  });
}

}  // namespace alcedo::python
