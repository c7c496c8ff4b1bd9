#include "alcedo/descriptors/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/image/read_image.h"
#include "alcedo/io/array_reader.h"

namespace alcedo {
namespace {

// The array of that name, or nullptr.
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
    throw FormatError(file, fmt::format("one of its {} arrays must be called 'descriptors'",
                                        reader.arrays().size()));
  }
  const std::vector<Index>& shape = array->shape;
  const bool one_bag = shape.size() == 2 || (shape.size() == 3 && shape[0] == 1);
  if (!one_bag || shape.back() < 1) {
    throw FormatError(file,
                      "descriptors must be an array of patches x dimensions, one image per file");
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
    throw FormatError(
        file, fmt::format("positions must be {} x 2 (x, y) or x 3 (x, y, size), one row per "
                          "descriptor",
                          descriptors.values.rows()));
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
      throw FormatError(file, "image_size must be two positive numbers, width and height");
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
      throw FormatError(
          file, fmt::format("the position of row {} is ({}, {}), outside of the image of {} x {}{}",
                            i, patch.x, patch.y, descriptors.width, descriptors.height,
                            FindArray(reader, "image_size")
                                ? ""
                                : " (without image_size, positions are relative)"));
    }
    descriptors.patches.push_back(patch);
  }
}

Descriptors ReadDescriptors(std::string_view bytes, const std::string& name) {
  const ArrayReader reader = ArrayReader::FromView(bytes, name);
  Descriptors descriptors;
  descriptors.values = reader.ReadRows(DescriptorsArray(reader));
  ReadPositions(reader, descriptors);
  return descriptors;
}

// The descriptors of an image, for every kind of them.
struct Extract {
  const Image& image;
  const GridOptions& grid;
  int threads;

  Descriptors operator()(const SiftOptions& options) const {
    return ExtractDenseSift(image, grid, options, threads);
  }
  Descriptors operator()(const ColorOptions& options) const {
    return ExtractColorStatistics(image, grid, options, threads);
  }
  Descriptors operator()(const ExternalOptions&) const {
    throw InvalidArgument(
        "external descriptors come from array files, not from images: this vocabulary was learned "
        "from arrays");
  }
};

}  // namespace

void Check(const DescribeOptions& options) {
  if (options.descriptor.Is<ExternalOptions>()) return;  // nothing is computed
  Check(options.image);
  Check(options.grid);
  options.descriptor.Visit([](const auto& member) { CheckMember(member); });
}

Describer::Describer(DescribeOptions options) : options_(std::move(options)) { Check(options_); }

Descriptors Describer::FromImage(const Image& image, int threads) const {
  return options_.descriptor.Visit(Extract{image, options_.grid, threads});
}

Descriptors Describer::FromBytes(std::string_view bytes, const std::string& name, int threads,
                                 DescribeReport* report) const {
  if (bytes.empty()) throw FormatError(name, "is empty");
  const bool external = options_.descriptor.Is<ExternalOptions>();
  if (LooksLikeArrays(bytes)) {
    if (!external) {
      throw FormatError(name,
                        fmt::format("is an array file, and {} descriptors are made from images",
                                    options_.descriptor.name()),
                        {"for descriptors of your own, learn a vocabulary with", "descriptor",
                         std::string(ExternalOptions::kLabel.name)});
    }
    return ReadDescriptors(bytes, name);
  }
  if (external) {
    throw FormatError(name,
                      "is not an array file (.npy, .npz, .safetensors), which external "
                      "descriptors need");
  }
  const Image image = ReadImageBytes(bytes, name, options_.image);
  if (report != nullptr) {
    *report = {image.original_width, image.original_height, image.width, image.height};
  }
  return FromImage(image, threads);
}

SharedImage::SharedImage(std::string_view bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)), arrays_(LooksLikeArrays(bytes)) {}

Descriptors SharedImage::Describe(const Describer& describer, int threads) {
  const DescribeOptions& options = describer.options();
  // Arrays are not decoded, and what is wrong with a file is said there.
  if (arrays_ || bytes_.empty() || options.descriptor.Is<ExternalOptions>()) {
    return describer.FromBytes(bytes_, name_, threads, &report_);
  }
  if (!image_ || !(read_as_ == options.image)) {
    image_ = ReadImageBytes(bytes_, name_, options.image);
    read_as_ = options.image;
  }
  report_ = {image_->original_width, image_->original_height, image_->width, image_->height};
  return describer.FromImage(*image_, threads);
}

}  // namespace alcedo
