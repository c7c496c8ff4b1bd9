#include "alcedo/descriptors/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/color_statistics.h"
#include "alcedo/io/array_reader.h"

namespace alcedo {
namespace {

// The array of that name, or nothing.
const ArrayInfo* FindArray(const ArrayReader& reader, const std::string& name) {
  const auto found = std::ranges::find(reader.arrays(), name, &ArrayInfo::name);
  return found == reader.arrays().end() ? nullptr : &*found;
}

std::size_t IndexOf(const ArrayReader& reader, const ArrayInfo* array) {
  return static_cast<std::size_t>(array - reader.arrays().data());
}

std::size_t DescriptorsArray(const ArrayReader& reader) {
  const std::string& file = reader.file_name();
  const ArrayInfo* array =
      reader.arrays().size() == 1 ? &reader.arrays()[0] : FindArray(reader, "descriptors");
  if (array == nullptr) {
    throw InvalidArgument(fmt::format("{}: one of its {} arrays must be called 'descriptors'", file,
                                      reader.arrays().size()));
  }
  const std::vector<Index>& shape = array->shape;
  const bool one_bag = shape.size() == 2 || (shape.size() == 3 && shape[0] == 1);
  if (!one_bag || shape.back() < 1) {
    throw InvalidArgument(fmt::format(
        "{}: descriptors must be an array of patches x dimensions, one image per file", file));
  }
  return IndexOf(reader, array);
}

void ReadPositions(const ArrayReader& reader, Descriptors& descriptors) {
  const std::string& file = reader.file_name();
  const ArrayInfo* positions =
      reader.arrays().size() == 1 ? nullptr : FindArray(reader, "positions");
  if (positions == nullptr) return;
  const std::vector<Index>& shape = positions->shape;
  if (shape.size() != 2 || shape[0] != descriptors.values.rows() ||
      (shape[1] != 2 && shape[1] != 3)) {
    throw InvalidArgument(
        fmt::format("{}: positions must be {} x 2 (x, y) or x 3 (x, y, size), one row per "
                    "descriptor",
                    file, descriptors.values.rows()));
  }
  descriptors.width = descriptors.height = 1;
  if (const ArrayInfo* size = FindArray(reader, "image_size")) {
    const std::size_t array = IndexOf(reader, size);
    std::vector<double> values;
    if (size->type == ElementType::kFloat32 || size->type == ElementType::kFloat64) {
      values = reader.ReadDoubles(array);
    } else {
      for (const std::int64_t v : reader.ReadIntegers(array)) {
        values.push_back(static_cast<double>(v));
      }
    }
    if (values.size() != 2 || !(values[0] > 0) || !(values[1] > 0)) {
      throw InvalidArgument(
          fmt::format("{}: image_size must be two positive numbers, width and height", file));
    }
    descriptors.width = values[0];
    descriptors.height = values[1];
  }
  const Rows rows = reader.ReadRows(IndexOf(reader, positions));
  descriptors.patches.reserve(static_cast<std::size_t>(rows.rows()));
  for (Index i = 0; i < rows.rows(); ++i) {
    const Patch patch{rows(i, 0), rows(i, 1), rows.cols() == 3 ? rows(i, 2) : 0.0f};
    if (!(patch.x >= 0 && patch.x <= descriptors.width && patch.y >= 0 &&
          patch.y <= descriptors.height)) {
      throw InvalidArgument(fmt::format(
          "{}: the position of row {} is ({}, {}), outside of the image of {} x {}{}", file, i,
          patch.x, patch.y, descriptors.width, descriptors.height,
          FindArray(reader, "image_size") ? "" : " (without image_size, positions are relative)"));
    }
    descriptors.patches.push_back(patch);
  }
}

Descriptors ReadDescriptors(std::string bytes, const std::string& name) {
  const ArrayReader reader = ArrayReader::FromBytes(std::move(bytes), name);
  Descriptors descriptors;
  descriptors.values = reader.ReadRows(DescriptorsArray(reader));
  ReadPositions(reader, descriptors);
  return descriptors;
}

}  // namespace

Descriptors DescribeImage(const Image& image, const DescribeOptions& options, int threads) {
  switch (options.descriptor) {
    case DescriptorKind::kSift: {
      SiftOptions sift = options.sift;
      sift.grid = options.grid;
      return ExtractDenseSift(image, sift, threads);
    }
    case DescriptorKind::kColor:
      return ExtractColorStatistics(image, ColorOptions{options.grid}, threads);
    case DescriptorKind::kExternal:
      break;
  }
  throw InvalidArgument(
      "descriptors of kind external come from array files, not from pictures: this vocabulary was "
      "learned from arrays");
}

Descriptors Describe(std::string bytes, const std::string& name, const DescribeOptions& options,
                     int threads, DescribeReport* report) {
  if (bytes.empty()) throw FormatError(name + " is empty");
  const bool external = options.descriptor == DescriptorKind::kExternal;
  if (LooksLikeArrays(bytes)) {
    if (!external) {
      throw InvalidArgument(fmt::format(
          "{} is an array file, and {} descriptors are made from pictures; learn a vocabulary with "
          "--descriptor external for descriptors of your own",
          name, Name(options.descriptor)));
    }
    return ReadDescriptors(std::move(bytes), name);
  }
  if (external) {
    throw InvalidArgument(fmt::format(
        "{} is not an array file (.npy, .npz, .safetensors), which external descriptors need",
        name));
  }
  const Image image = ReadImageBytes(bytes, name, options.image);
  if (report != nullptr) {
    *report = {image.original_width, image.original_height, image.width, image.height};
  }
  return DescribeImage(image, options, threads);
}

}  // namespace alcedo
