// Feature stores, to read.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "alcedo/store/feature_store.h"
#include "arrays.h"
#include "bindings.h"

namespace alcedo::python {
namespace {

// [(name, shard, row, hash, patches)]
py::list ImagesOf(const FeatureStore& store) {
  py::list list;
  for (const StoredImage& image : store.Images()) {
    list.append(
        py::make_tuple(FileName(image.name), image.shard, image.row, image.hash, image.patches));
  }
  return list;
}

py::dict FailuresOf(const FeatureStore& store) {
  py::dict dict;
  for (const Failure& failure : store.Failures()) {
    dict[FileName(failure.name)] = FileName(failure.reason);
  }
  return dict;
}

// A file .npy.
py::bytes Shard(const FeatureStore& store, Index shard) {
  std::string bytes;
  {
    const py::gil_scoped_release release;
    bytes = store.ReadShardBytes(shard);
  }
  return py::bytes(bytes);
}

}  // namespace

void BindStore(py::module_& module) {
  py::class_<FeatureStore>(module, "FeatureStore")
      .def_static(
          "open", [](const std::string& path) { return FeatureStore::OpenToRead(path); },
          py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("shape", [](const FeatureStore& s) { return s.header().shape; })
      .def_property_readonly(
          "dtype", [](const FeatureStore& s) { return std::string(Name(s.header().type)); })
      .def_property_readonly("config", [](const FeatureStore& s) { return s.header().config; })
      .def_property_readonly("missing", &FeatureStore::Missing)
      .def("images", &ImagesOf)
      .def("failures", &FailuresOf)
      .def("shard", &Shard);
}

}  // namespace alcedo::python
