// Projections and visual words: fitted to rows, or made of arrays.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/projection/pca.h"
#include "alcedo/vocabulary/dictionary.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/kmeans.h"
#include "alcedo/vocabulary/random_fourier.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

// Rows of floats are read in place, chunk by chunk; doubles become floats in the same way. The rows
// must outlive the source: it is copied without the lock of the interpreter, and so must not own
// an object of Python.
SampleSource::Reader ReaderOf(const BagRows& rows) {
  return [floats = rows.floats, doubles = rows.doubles, columns = rows.columns](
             Index begin, Index count, float* out) {
    const Index first = begin * columns, size = count * columns;
    if (doubles != nullptr) {
      std::transform(doubles + first, doubles + first + size, out,
                     [](double value) { return static_cast<float>(value); });
    } else {
      std::copy_n(floats + first, size, out);
    }
  };
}

SampleSource SourceOf(const BagRows& rows) { return {rows.rows, rows.columns, ReaderOf(rows)}; }

// Now and then, from the thread that was called: Ctrl-C, and progress(done, all).
void LookUp(const py::object& progress, Index done, Index all) {
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!progress.is_none()) progress(done, all);
}

// Between two iterations.
template <class Model>
TrainingObserver<Model> Observer(const py::object& progress) {
  return [&progress](const TrainingStep& step, const Model&) {
    LookUp(progress, step.iteration, step.max_iterations);
  };
}

// (model, report)
template <class Model, class Options,
          Model (*fit)(const SampleSource&, const Options&, Rng&, const FitContext<Model>&)>
py::tuple Fit(const py::object& rows, std::uint64_t seed, const py::object& threads,
              const py::object& progress, const py::dict& keywords) {
  const auto options = OptionsFrom<Options>(keywords, "fit", {"seed", "threads", "progress"});
  Check(options);
  const BagRows samples = RowsFrom(rows, "rows");
  TrainingReport report;
  FitContext<Model> context{.threads = ThreadsOf(threads), .report = &report};
  context.observer = Observer<Model>(progress);
  Rng rng(seed);
  Model model;
  {
    const py::gil_scoped_release release;
    model = fit(SourceOf(samples), options, rng, context);
  }
  return py::make_tuple(std::move(model), report);
}

// The fit has no observer. Its one pass over the rows, which is most of the work, asks for some
// thousand at a time, in part from this thread: then it looks up.
Pca FitPcaToRows(const py::object& rows, const py::object& threads, const py::object& progress,
                 const py::dict& keywords) {
  const auto options = OptionsFrom<PcaOptions>(keywords, "fit", {"threads", "progress"});
  const BagRows samples = RowsFrom(rows, "rows");
  const int most = ThreadsOf(threads);
  const SampleSource::Reader read = ReaderOf(samples);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<Index> asked = 0;
  const auto look_up = [&](Index begin, Index count, float* out) {
    const Index before = asked.fetch_add(count);
    if (std::this_thread::get_id() == caller) LookUp(progress, before, samples.rows);
    read(begin, count, out);
  };
  const py::gil_scoped_release release;
  Pca pca = FitPca(SampleSource(samples.rows, samples.columns, look_up), options, most);
  LookUp(progress, samples.rows, samples.rows);
  return pca;
}

// Of every bag; one array, or a list of them.
py::object ProjectBags(const Pca& pca, const py::object& rows, const py::object& threads,
                       const py::object& progress) {
  const int most = ThreadsOf(threads);
  const Bags bags = BagsOf(rows, py::none(), py::none(), 0);
  for (const Bag& bag : bags.bags) {
    if (bag.encodings != nullptr) throw py::type_error("rows must be descriptors, not Encodings");
  }
  if (!bags.bags.empty() && bags.dimension != pca.input_dimension()) {
    throw InvalidArgument(
        "rows",
        fmt::format("must have the {} dimensions of what the projection was made for",
                    pca.input_dimension()),
        std::to_string(bags.dimension));
  }
  std::vector<Rows> projected(bags.bags.size());
  ForEachBag(bags, most, progress, [&](std::size_t i, int mine) {
    projected[i] = bags.bags[i].rows.AsFloats(
        [&](const RowsView& floats) { return Project(pca, floats, mine); });
  });
  py::list arrays;
  for (const Rows& one : projected) arrays.append(ToNumpy(one));
  return bags.single ? py::object(arrays[0]) : py::object(arrays);
}

// sigma 0: the median distance between rows.
RandomFourier DrawFourier(const py::object& rows, Index dimension, std::uint64_t seed,
                          const py::dict& keywords) {
  auto options = OptionsFrom<FourierOptions>(keywords, "fit", {"seed"});
  Check(options);
  Rng rng(seed);
  if (rows.is_none()) {
    if (options.sigma == 0) {
      throw InvalidArgument("sigma", "must be given if there are no rows to take it from", "");
    }
    const py::gil_scoped_release release;
    return DrawRandomFourier(options.outputs, dimension, options.sigma, rng);
  }
  const BagRows bag = RowsFrom(rows, "rows");
  const py::gil_scoped_release release;
  return bag.AsFloats([&](const RowsView& samples) {
    for (Index i = 0; i < samples.size(); ++i) {
      if (std::isfinite(samples.data()[i])) continue;
      throw InvalidArgument(fmt::format("rows: row {}, column {} is {}", i / samples.cols(),
                                        i % samples.cols(),
                                        std::isnan(samples.data()[i]) ? "NaN" : "infinite"));
    }
    constexpr Index kPairs = 100000;  // the median is then good to about 0.1 %
    if (options.sigma == 0) options.sigma = MedianDistance(samples, kPairs, rng);
    return DrawRandomFourier(options.outputs, samples.cols(), options.sigma, rng);
  });
}

template <class Options>
py::list FieldsOfOptions() {
  py::list fields;
  Options options;
  VisitFields(options, DescribeFields{fields});
  return fields;
}

// A property that shows an array of the object in place.
template <class Model, class Array>
auto Shown(Array Model::* member) {
  return
      [member](const py::object& self) { return ViewOf(self.cast<const Model&>().*member, self); };
}

// What an encoder would refuse is refused here.
Codebook MakeCodebook(const py::object& centers, const py::object& weights) {
  Codebook codebook{FloatRowsFrom(centers, "centers"), {}};
  if (weights.is_none()) {
    codebook.weights.setConstant(codebook.size(), 1 / static_cast<double>(codebook.size()));
  } else {
    codebook.weights = VectorFrom(weights, "weights");
  }
  CheckEncoder(SuperVectorEncoder{codebook, {}});
  return codebook;
}

GaussianMixture MakeMixture(const py::object& weights, const py::object& means,
                            const py::object& variances) {
  GaussianMixture mixture{VectorFrom(weights, "weights"), FloatRowsFrom(means, "means"),
                          FloatRowsFrom(variances, "variances")};
  CheckEncoder(FisherEncoder{mixture, {}});
  return mixture;
}

Dictionary MakeDictionary(const py::object& atoms) {
  Dictionary dictionary{FloatRowsFrom(atoms, "atoms")};
  CheckEncoder(SparseCodingEncoder{dictionary, {}});
  return dictionary;
}

RandomFourier MakeFourier(const py::object& frequencies, const py::object& phases, double sigma) {
  RandomFourier fourier{FloatRowsFrom(frequencies, "frequencies"), VectorFrom(phases, "phases"),
                        sigma};
  Require(sigma > 0 && std::isfinite(sigma), "sigma", "> 0 and finite", sigma);
  CheckEncoder(EmkEncoder{fourier});
  return fourier;
}

Pca MakePca(const py::object& mean, const py::object& components, const py::object& variances,
            double total_variance, bool whiten) {
  Pca pca{VectorFrom(mean, "mean"), FloatRowsFrom(components, "components"),
          VectorFrom(variances, "variances"), total_variance, whiten};
  if (pca.mean.size() != pca.input_dimension() || pca.variances.size() != pca.dimension()) {
    throw InvalidArgument("components", "must have a row per variance and a column per mean", "");
  }
  if (!pca.mean.allFinite() || !pca.components.allFinite() || !pca.variances.allFinite()) {
    throw InvalidArgument("components", "and mean and variances must be finite", "");
  }
  Require(total_variance >= 0 && std::isfinite(total_variance), "total_variance", ">= 0 and finite",
          total_variance);
  return pca;
}

}  // namespace

void BindWords(py::module_& module) {
  py::class_<TrainingReport>(module, "TrainingReport")
      .def_readonly("iterations", &TrainingReport::iterations)
      .def_readonly("objective", &TrainingReport::objective)
      .def_readonly("converged", &TrainingReport::converged)
      .def("__repr__",
           [](const TrainingReport& r) {
             return fmt::format("<alcedo.TrainingReport: {}, {} iterations, objective {:g}>",
                                r.converged ? "converged" : "not converged", r.iterations,
                                r.objective);
           })
      .def(py::pickle(
          [](const TrainingReport& r) {
            return py::make_tuple(r.iterations, r.objective, r.converged);
          },
          [](const py::tuple& state) {
            if (state.size() != 3) throw FormatError("the pickle has no report of a fit");
            return TrainingReport{state[0].cast<int>(), state[1].cast<double>(),
                                  state[2].cast<bool>()};
          }));

  py::class_<Pca>(module, "Pca")
      .def(py::init(&MakePca))
      .def_property_readonly("mean", Shown(&Pca::mean))
      .def_property_readonly("components", Shown(&Pca::components))
      .def_property_readonly("variances", Shown(&Pca::variances))
      .def_readonly("total_variance", &Pca::total_variance)
      .def_readonly("whiten", &Pca::whiten)
      .def("project", &ProjectBags);
  py::class_<Codebook>(module, "Codebook")
      .def(py::init(&MakeCodebook))
      .def_property_readonly("centers", Shown(&Codebook::centers))
      .def_property_readonly("weights", Shown(&Codebook::weights));
  py::class_<GaussianMixture>(module, "GaussianMixture")
      .def(py::init(&MakeMixture))
      .def_property_readonly("weights", Shown(&GaussianMixture::weights))
      .def_property_readonly("means", Shown(&GaussianMixture::means))
      .def_property_readonly("variances", Shown(&GaussianMixture::variances));
  py::class_<Dictionary>(module, "Dictionary")
      .def(py::init(&MakeDictionary))
      .def_property_readonly("atoms", Shown(&Dictionary::atoms));
  py::class_<RandomFourier>(module, "RandomFourier")
      .def(py::init(&MakeFourier))
      .def_property_readonly("frequencies", Shown(&RandomFourier::frequencies))
      .def_property_readonly("phases", Shown(&RandomFourier::phases))
      .def_readonly("sigma", &RandomFourier::sigma);

  module.def("check_threads", [](const py::object& threads) { ThreadsOf(threads); });
  module.def("fit_pca", &FitPcaToRows);
  module.def("fit_codebook", &Fit<Codebook, KMeansOptions, FitKMeans>);
  module.def("fit_mixture", &Fit<GaussianMixture, GmmOptions, FitGaussianMixture>);
  module.def("fit_dictionary", &Fit<Dictionary, DictionaryOptions, FitDictionary>);
  module.def("draw_fourier", &DrawFourier);
  module.def("fit_fields", [](const std::string& kind) {
    if (kind == "Pca") return FieldsOfOptions<PcaOptions>();
    if (kind == "Codebook") return FieldsOfOptions<KMeansOptions>();
    if (kind == "GaussianMixture") return FieldsOfOptions<GmmOptions>();
    if (kind == "Dictionary") return FieldsOfOptions<DictionaryOptions>();
    return FieldsOfOptions<FourierOptions>();
  });
}

}  // namespace alcedo::python
