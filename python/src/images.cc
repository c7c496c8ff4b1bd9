#include "images.h"

#include <pybind11/stl.h>

#include <mutex>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/weights/weight_map.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {

void ImageInput::WithBytes(double max_mib, const std::function<void(std::string_view)>& use) const {
  if (bytes) return use(*bytes);
  use(ReadInputFile(name, max_mib));
}

std::vector<ImageInput> InputsFrom(const py::list& list) {
  std::vector<ImageInput> inputs;
  for (const py::handle item : list) {
    const auto pair = item.cast<py::tuple>();
    ImageInput& input = inputs.emplace_back();
    input.name = pair[0].cast<std::string>();
    if (!pair[1].is_none()) input.bytes = pair[1].cast<std::string_view>();
  }
  return inputs;
}

std::map<std::size_t, std::string> ForEachImage(
    const std::vector<ImageInput>& images, int threads, const py::object& progress, bool collect,
    const std::function<void(std::size_t image, int threads)>& work) {
  std::map<std::size_t, std::string> failures;
  std::mutex mutex;
  ForEachItem(images.size(), threads, progress, [&](std::size_t i, int mine) {
    if (!collect) return work(i, mine);
    try {
      work(i, mine);
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      failures[i] = ReasonOf(error);
    }
  });
  return failures;
}

void Solves::Add(std::span<const SolveReport> reports) {
  for (const SolveReport& report : reports) {
    ++all;
    if (report.converged) continue;
    if (stopped++ == 0) reason = report.reason;
  }
}

py::tuple SumOf(const std::vector<Solves>& solves) {
  Solves sum;
  for (const Solves& one : solves) {
    if (sum.stopped == 0) sum.reason = one.reason;
    sum.all += one.all;
    sum.stopped += one.stopped;
  }
  return py::make_tuple(sum.all, sum.stopped, sum.reason);
}

py::dict FailuresByNumber(const std::map<std::size_t, std::string>& failures) {
  py::dict dict;
  for (const auto& [number, reason] : failures) dict[py::int_(number)] = FileName(reason);
  return dict;
}

namespace {

// All that goes into a descriptor; the names differ.
template <class Visitor>
void VisitDescribeFields(DescribeOptions& options, Visitor& visitor) {
  const std::string_view chosen = options.descriptor.name();
  options.descriptor.VisitSections([&](const std::string& section, auto&& fields) {
    if (section == chosen) fields(visitor);
  });
  VisitFields(options.grid, visitor);
  VisitFields(options.image, visitor);
}

}  // namespace

DescribeOptions DescribeOptionsFrom(const std::string& descriptor, const py::dict& keywords) {
  DescribeOptions options;
  ChooseByName(options.descriptor, "descriptor", descriptor);
  if (options.descriptor.Is<ExternalOptions>()) {
    throw InvalidArgument("descriptor", "must be one that is computed: sift or color", "external");
  }
  FieldsFromKeywords fields(keywords);
  VisitDescribeFields(options, fields);
  fields.RefuseUnknown("descriptor '" + descriptor + "'");
  return options;
}

namespace {

// (values, patches, width, height)
py::tuple DescribeImage(const py::tuple& image, const std::string& descriptor,
                        const py::object& threads, const py::dict& keywords) {
  py::list one;
  one.append(image);
  const std::vector<ImageInput> inputs = InputsFrom(one);
  const DescribeOptions options = DescribeOptionsFrom(descriptor, keywords);
  const int most = ThreadsOf(threads);
  Descriptors found;
  {
    const py::gil_scoped_release release;
    inputs[0].WithBytes(options.image.max_image_memory, [&](std::string_view bytes) {
      found = Describer(options).FromBytes(bytes, inputs[0].name, most);
    });
  }
  return py::make_tuple(ToNumpy(found.values), PatchesToNumpy(found.patches), found.width,
                        found.height);
}

py::array_t<float> RenderMap(const py::object& patches, const py::object& weights, double width,
                             double height, int map_width, int map_height,
                             const std::string& rule) {
  const Rows rows = FloatRowsFrom(patches, "patches");
  if (rows.cols() != 3) throw InvalidArgument("patches", "must have three columns: x, y, size", "");
  std::vector<Patch> all;
  for (Index i = 0; i < rows.rows(); ++i) all.push_back({rows(i, 0), rows(i, 1), rows(i, 2)});
  const Vector numbers = VectorFrom(weights, "weights");
  if (numbers.size() != rows.rows()) {
    throw InvalidArgument("weights", "must have one entry for every patch", "");
  }
  const MapRule parsed = EnumFrom<MapRule>("rule", rule);
  WeightMap map;
  {
    const py::gil_scoped_release release;
    map = RenderWeightMap(all, numbers, width, height, map_width, map_height, parsed);
  }
  return py::array_t<float>({map.height, map.width}, map.values.data());
}

}  // namespace

void BindImages(py::module_& module) {
  module.def("describe", &DescribeImage);
  module.def("render_weight_map", &RenderMap);
  module.def("describe_fields", [](const std::string& descriptor) {
    py::list fields;
    DescribeOptions options;
    ChooseByName(options.descriptor, "descriptor", descriptor);
    DescribeFields visitor{fields};
    VisitDescribeFields(options, visitor);
    return fields;
  });
}

}  // namespace alcedo::python
