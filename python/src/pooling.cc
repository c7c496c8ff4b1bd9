// Pooling bags, and the weights of their rows.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "alcedo/bags/bag_job.h"
#include "alcedo/base/error.h"
#include "alcedo/pooling/gmp_weights.h"
#include "alcedo/pooling/pool.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

// The options of a pooling, from keywords.
PoolingOptions PoolingFrom(const std::string& method, const py::dict& keywords,
                           const std::vector<std::string>& own) {
  if (method == "weighted") {
    FieldsFromKeywords(keywords).RefuseUnknown("method 'weighted'", own);
    return WeightedOptions{};
  }
  PoolingChoice choice;
  ChooseByName(choice, "method", method);
  const PoolingChoice::Variant chosen = choice.Chosen();
  return std::visit(
      [&]<class Options>(const Options&) -> PoolingOptions {
        return OptionsFrom<Options>(keywords, "method '" + method + "'", own);
      },
      chosen);
}

template <class Scalar>
py::tuple PoolInto(const Bags& bags, const BagPooling& job, const std::vector<Vector>& weights,
                   bool several, int threads, const py::object& progress) {
  const auto count = static_cast<Index>(bags.bags.size());
  const auto lambdas = static_cast<Index>(job.lambdas.size());
  std::vector<Index> shape;
  if (!bags.single) shape.push_back(count);
  if (several) shape.push_back(lambdas);
  shape.push_back(bags.dimension);
  py::array_t<Scalar> values(shape);
  Scalar* out = values.mutable_data();
  std::vector<std::vector<SolveReport>> reports(bags.bags.size());
  const Vector none;
  ForEachBag(bags, threads, progress, [&](std::size_t i, int mine) {
    const Encodings encodings = bags.EncodingsOf(i, mine);
    PoolBagRun run;
    run.threads = mine;
    PooledBag bag = PoolBag(encodings, job, weights.empty() ? none : weights[i], run);
    CopyValues(bag.phi, out + static_cast<Index>(i) * lambdas * bags.dimension);
    reports[i] = std::move(bag.reports);
  });
  return py::make_tuple(values, reports);
}

// (values, a list of reports for every bag). `own` are the keywords of the function in Python.
py::tuple PoolBags(const py::object& rows, const std::string& method,
                   const std::vector<double>& lambdas, bool several, const py::object& offsets,
                   const py::object& blocks, const py::object& num_blocks,
                   const py::object& input_weights, const py::object& encoder,
                   const py::object& nonnegative, const py::object& power,
                   const py::object& block_l2, const py::object& l2, const py::object& dtype,
                   const py::object& threads, const py::object& progress, const py::dict& keywords,
                   const std::vector<std::string>& own) {
  BagPooling job;
  job.pooling = PoolingFrom(method, keywords, own);
  job.lambdas = lambdas;
  job.nonnegative = BoolFrom(nonnegative, "nonnegative");
  if (job.nonnegative && method != "gmp") {
    throw InvalidArgument("nonnegative", "goes with method 'gmp'", "");
  }
  if (!power.is_none()) job.power = NumberFrom(power, "power");
  job.block_l2 = BoolFrom(block_l2, "block_l2");
  job.l2 = BoolFrom(l2, "l2");
  Check(job);
  const int most = ThreadsOf(threads);
  const Bags bags = BagsOf(rows, offsets, blocks, WholeFrom(num_blocks, "num_blocks"), encoder);
  if (bags.dimension == 0) {
    throw InvalidArgument("rows", "must not be an empty list: its vectors have no dimension", "");
  }
  const bool weighted = method == "weighted";
  if (weighted == input_weights.is_none()) {
    throw InvalidArgument(
        "weights", weighted ? "must be given for method 'weighted'" : "goes with method 'weighted'",
        "");
  }
  std::vector<Vector> weights;
  if (weighted) weights = NumbersOf(input_weights, bags, "weights");
  const bool as_double = dtype.is_none() ? bags.any_double : dtype.cast<std::string>() == "float64";
  return as_double ? PoolInto<double>(bags, job, weights, several, most, progress)
                   : PoolInto<float>(bags, job, weights, several, most, progress);
}

// A list of (weights, reports) for every bag; weights are lambdas x rows, or rows.
template <class Options>
py::list WeightsOf(const Bags& bags, const std::vector<Options>& path, bool several, int threads,
                   const py::object& progress,
                   WeightsResult (*solve)(const Encodings&, const Options&)) {
  std::vector<Matrix> weights(bags.bags.size());
  std::vector<std::vector<SolveReport>> reports(bags.bags.size());
  ForEachBag(bags, threads, progress, [&](std::size_t i, int mine) {
    const Encodings encodings = bags.EncodingsOf(i, mine);
    weights[i].resize(static_cast<Index>(path.size()), encodings.num_rows());
    for (std::size_t l = 0; l < path.size(); ++l) {
      Options options = path[l];
      options.threads = mine;
      WeightsResult result = solve(encodings, options);
      weights[i].row(static_cast<Index>(l)) = result.weights;
      reports[i].push_back(std::move(result.report));
    }
  });
  py::list all;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    py::object array = ToNumpy(weights[i]);
    if (!several) array = array.attr("reshape")(-1);
    all.append(py::make_tuple(array, reports[i]));
  }
  return all;
}

std::vector<GmpOptions> CheckedPath(const std::vector<double>& lambdas, const GmpOptions& options) {
  if (lambdas.empty()) throw InvalidArgument("lambda", "must have a value", "");
  std::vector<GmpOptions> path = ForLambdas(lambdas, options);
  for (const GmpOptions& member : path) Check(member);
  return path;
}

py::tuple GmpWeightsOfBags(const py::object& rows, const std::vector<double>& lambdas, bool several,
                           const py::object& nonnegative, const py::object& offsets,
                           const py::object& blocks, const py::object& num_blocks,
                           const py::object& encoder, const py::object& threads,
                           const py::object& progress, const py::dict& keywords,
                           const std::vector<std::string>& own) {
  const std::vector<GmpOptions> path =
      CheckedPath(lambdas, OptionsFrom<GmpOptions>(keywords, "gmp_weights", own));
  const bool only_positive = BoolFrom(nonnegative, "nonnegative");
  const int most = ThreadsOf(threads);
  const Bags bags = BagsOf(rows, offsets, blocks, WholeFrom(num_blocks, "num_blocks"), encoder);
  WeightsResult (*const plain)(const Encodings&, const GmpOptions&) = GmpWeights;
  WeightsResult (*const positive)(const Encodings&, const GmpOptions&) = GmpWeightsNonNegative;
  return py::make_tuple(bags.single, WeightsOf(bags, path, several, most, progress,
                                               only_positive ? positive : plain));
}

py::tuple DemocraticWeightsOfBags(const py::object& rows, const py::object& offsets,
                                  const py::object& blocks, const py::object& num_blocks,
                                  const py::object& encoder, const py::object& threads,
                                  const py::object& progress, const py::dict& keywords,
                                  const std::vector<std::string>& own) {
  const auto options = OptionsFrom<DemocraticOptions>(keywords, "democratic", own);
  Check(options);
  const int most = ThreadsOf(threads);
  const Bags bags = BagsOf(rows, offsets, blocks, WholeFrom(num_blocks, "num_blocks"), encoder);
  WeightsResult (*const solve)(const Encodings&, const DemocraticOptions&) = DemocraticWeights;
  return py::make_tuple(bags.single, WeightsOf(bags, std::vector<DemocraticOptions>{options}, false,
                                               most, progress, solve));
}

// ([lambda, ...], whether a list was given)
py::tuple LambdasOf(const py::object& lambda) {
  bool several = false;
  const std::vector<double> lambdas = NumbersFrom(lambda, "lambda_", &several);
  return py::make_tuple(lambdas, several);
}

std::vector<std::string> MethodNames() {
  std::vector<std::string> names = NamesOf<PoolingChoice>();
  names.emplace_back("weighted");
  return names;
}

constexpr const char* kReportHelp = R"(What a solver did: `return_reports` of `pool` and others.

Attributes
----------
solver : str
lambda_, lambda_relative : float
    Absolute, and relative to the mean squared norm of the rows.
iterations : int
residual, error_bound : float
    Relative to the right-hand side, and of the solution.
converged : bool
reason : str
    Why it stopped early, if it did.

Examples
--------
>>> import alcedo
>>> rows = [[1.0, 0.0]] * 3 + [[0.0, 1.0]]
>>> vector, reports = alcedo.pool(rows, lambda_=0.5, return_reports=True)
>>> reports[0][0].converged, reports[0][0].lambda_
(True, 0.5)
)";

std::string ReportText(const SolveReport& r) {
  return fmt::format(
      "<alcedo.SolveReport: {}, {}, lambda {:g} (relative {:g}), {} iterations, "
      "residual {:.1e}>",
      r.converged ? "converged" : "not converged", r.solver, r.lambda, r.lambda_relative,
      r.iterations, r.residual);
}

}  // namespace

void BindPooling(py::module_& module) {
  py::class_<SolveReport>(module, "SolveReport", kReportHelp)
      .def_readonly("solver", &SolveReport::solver)
      .def_readonly("lambda_", &SolveReport::lambda)
      .def_readonly("lambda_relative", &SolveReport::lambda_relative)
      .def_readonly("iterations", &SolveReport::iterations)
      .def_readonly("residual", &SolveReport::residual)
      .def_readonly("error_bound", &SolveReport::error_bound)
      .def_readonly("converged", &SolveReport::converged)
      .def_readonly("reason", &SolveReport::reason)
      .def("__repr__", &ReportText)
      .def(py::pickle(
          [](const SolveReport& r) {
            return py::make_tuple(r.solver, r.lambda, r.lambda_relative, r.iterations, r.residual,
                                  r.error_bound, r.converged, r.reason);
          },
          [](const py::tuple& state) {
            if (state.size() != 8) throw FormatError("the pickle has no report of a solver");
            return SolveReport{
                state[0].cast<std::string>(), state[1].cast<double>(),      state[2].cast<double>(),
                state[3].cast<int>(),         state[4].cast<double>(),      state[5].cast<double>(),
                state[6].cast<bool>(),        state[7].cast<std::string>(), {}};
          }));
  module.def("lambdas", &LambdasOf);
  module.def("pool_bags", &PoolBags);
  module.def("gmp_weights", &GmpWeightsOfBags);
  module.def("democratic_weights", &DemocraticWeightsOfBags);
  module.def("pooling_methods", &MethodNames);
  module.def("pooling_fields", &FieldsOfMember<PoolingChoice>);
}

}  // namespace alcedo::python
