// Datasets as their authors distribute them, and plain folders.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "alcedo/base/error.h"
#include "alcedo/dataset/read_dataset.h"
#include "arrays.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

// A dictionary of what alcedo/datasets.py makes an object of.
py::dict ReadDatasetAt(const std::string& root, const std::string& kind, const py::dict& keywords) {
  const auto split = OptionsFrom<FolderSplitOptions>(keywords, "read_dataset");
  Check(split);
  const auto parsed = EnumFrom<DatasetKind>("kind", kind);
  Dataset dataset;
  {
    const py::gil_scoped_release release;
    dataset = ReadDataset(root, parsed, split);
  }
  py::list names, paths, splits, boxes, targets, notes;
  std::vector<int> labels;
  for (const DatasetImage& image : dataset.images) {
    names.append(FileName(image.name));
    paths.append(FileName(image.path.string()));
    splits.append(std::string(Name(image.split)));
    labels.push_back(image.label);
    py::list rectangles;
    for (const Box& box : image.boxes) {
      rectangles.append(py::make_tuple(box.x, box.y, box.width, box.height));
    }
    boxes.append(rectangles);
    if (dataset.multi_label) targets.append(py::cast(image.targets));
  }
  for (const std::string& note : dataset.notes) notes.append(FileName(note));
  py::list classes;
  for (const std::string& name : dataset.classes) classes.append(FileName(name));
  using namespace pybind11::literals;
  return py::dict("title"_a = FileName(dataset.title), "kind"_a = std::string(Name(dataset.kind)),
                  "classes"_a = classes, "names"_a = names, "paths"_a = paths, "splits"_a = splits,
                  "labels"_a = labels, "targets"_a = targets, "boxes"_a = boxes, "notes"_a = notes);
}

}  // namespace

void BindDatasets(py::module_& module) {
  module.def("read_dataset", &ReadDatasetAt);
  module.def("dataset_fields", [] {
    py::list fields;
    FolderSplitOptions options;
    VisitFields(options, DescribeFields{fields});
    return fields;
  });
}

}  // namespace alcedo::python
