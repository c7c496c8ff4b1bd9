// Models, from images to scores of classes.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "alcedo/training/predict.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "images.h"

namespace alcedo::python {
namespace {

// (scores, probabilities or None, the number of the best class, failures, counts of solves)
py::tuple Predict(const Predictor& predictor, const py::list& images, const py::object& threads,
                  const py::object& progress, bool collect) {
  const std::vector<ImageInput> inputs = InputsFrom(images);
  const int most = ThreadsOf(threads);
  const auto count = static_cast<Index>(inputs.size());
  const auto classes = static_cast<Index>(predictor.model.classes.size());
  Matrix scores = Matrix::Zero(count, classes);
  const bool calibrated = predictor.model.platt.has_value();
  Matrix probabilities = Matrix::Zero(calibrated ? count : 0, classes);
  std::vector<int> best(inputs.size(), 0);
  std::vector<Solves> solves(inputs.size());
  const auto failures = ForEachImage(inputs, most, progress, collect, [&](std::size_t i, int mine) {
    inputs[i].WithBytes(predictor.encoder.max_file_mib(), [&](std::string_view bytes) {
      const ImageVectors vectors = predictor.encoder.FromBytes(bytes, inputs[i].name, mine);
      const Prediction found = PredictVectors(predictor, vectors, mine);
      for (const ChannelVectors& channel : vectors.channels) solves[i].Add(channel.reports);
      best[i] = RankedClasses(found)[0];
      scores.row(static_cast<Index>(i)) = found.scores.transpose();
      if (calibrated) {
        probabilities.row(static_cast<Index>(i)) = found.probabilities.transpose();
      }
    });
  });
  return py::make_tuple(ToNumpy(scores),
                        calibrated ? py::object(ToNumpy(probabilities)) : py::none(), best,
                        FailuresByNumber(failures), SumOf(solves));
}

py::dict TrainingOf(const Predictor& predictor) {
  const ModelTraining& training = predictor.model.training;
  py::dict dict;
  dict["dataset"] = FileName(training.dataset);
  dict["images"] = training.images;
  dict["c"] = training.c;
  dict["metric"] = training.metric;
  dict["folds"] = training.folds;
  dict["validation"] = training.validation;
  dict["seed"] = training.seed;
  dict["version"] = training.version;
  return dict;
}

}  // namespace

void BindModel(py::module_& module) {
  py::class_<Predictor>(module, "Predictor")
      .def_static(
          "open", [](const std::string& path) { return Predictor(ReadModel(path)); },
          py::call_guard<py::gil_scoped_release>())
      .def_static("from_bytes",
                  [](const py::bytes& bytes) {
                    const std::string copy = bytes;
                    const py::gil_scoped_release release;
                    return Predictor(ReadModelBytes(copy, ""));
                  })
      .def("to_bytes",
           [](const Predictor& p) {
             std::string bytes;
             {
               const py::gil_scoped_release release;
               bytes = ModelBytes(p.model);
             }
             return py::bytes(bytes);
           })
      .def_property_readonly("classes",
                             [](const Predictor& p) {
                               py::list names;
                               for (const std::string& name : p.model.classes) {
                                 names.append(FileName(name));
                               }
                               return names;
                             })
      .def_property_readonly("calibrated",
                             [](const Predictor& p) { return p.model.platt.has_value(); })
      .def_property_readonly("multi_label", [](const Predictor& p) { return p.model.multi_label; })
      .def_property_readonly("training", &TrainingOf)
      .def("predict", &Predict);
}

}  // namespace alcedo::python
