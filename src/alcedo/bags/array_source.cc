#include "alcedo/bags/array_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <span>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace fs = std::filesystem;

std::shared_ptr<const ArrayReader> ArrayFile::Open(OpenArrays& open) const {
  return in_memory ? in_memory : open.Open(input.path);
}

std::size_t FindOrOnly(const ArrayReader& reader, const std::string& name) {
  return reader.arrays().size() == 1 ? 0 : reader.Find(name);
}

std::optional<std::string> FindCompanion(const std::string& companion, const ArrayFile& file) {
  if (!fs::is_directory(companion)) return companion;
  const fs::path name = fs::path(file.input.path).filename();
  for (const fs::path& candidate :
       {name, fs::path(name).replace_extension(".npy"), fs::path(name).replace_extension(".npz"),
        fs::path(name).replace_extension(".safetensors")}) {
    if (fs::exists(companion / candidate)) return (companion / candidate).string();
  }
  return std::nullopt;
}

std::string CompanionFile(const std::string& companion, const ArrayFile& file) {
  if (auto found = FindCompanion(companion, file)) return *std::move(found);
  throw FormatError(file.input.name,
                    fmt::format("folder '{}' has no file of that name", companion));
}

Encodings LoadedArray::Encode(Index begin, Index end, Index num_blocks) const {
  return is_double ? Encode(doubles, begin, end, num_blocks)
                   : Encode(values, begin, end, num_blocks);
}

template <class Array>
Encodings LoadedArray::Encode(const Array& array, Index begin, Index end, Index num_blocks) const {
  using Scalar = typename Array::Scalar;
  const Index count = end - begin;
  if (entries_per_row == 0) {
    const std::span<const Scalar> all(array.data(), static_cast<std::size_t>(array.size()));
    return Encodings::DenseView(all.subspan(begin * array.cols(), count * array.cols()),
                                array.cols());
  }

  // N x (k B) and (N k) x B are the same bytes: one row per entry.
  const Index entry_size = array.cols() / entries_per_row;
  const Index first = begin * entries_per_row;
  const Eigen::Map<const typename Array::Plain> all(array.data() + first * entry_size,
                                                    count * entries_per_row, entry_size);
  std::vector<std::int32_t> kept;
  std::vector<Index> kept_rows;
  std::vector<Index> offsets{0};
  for (Index row = 0; row < count; ++row) {
    for (Index entry = 0; entry < entries_per_row; ++entry) {
      const Index e = row * entries_per_row + entry;
      if (blocks[first + e] < 0) continue;
      kept.push_back(blocks[first + e]);
      kept_rows.push_back(e);
    }
    offsets.push_back(static_cast<Index>(kept.size()));
  }
  Array entries(static_cast<Index>(kept.size()), entry_size);
  for (Index e = 0; e < entries.rows(); ++e) entries.row(e) = all.row(kept_rows[e]);

  const bool one_each = entries_per_row == 1 && entries.rows() == count;
  if (one_each) return Encodings::OneBlockPerRow(std::move(entries), std::move(kept), num_blocks);
  return Encodings::SeveralBlocksPerRow(std::move(entries), std::move(kept), std::move(offsets),
                                        num_blocks);
}

ArraySource::ArraySource(const BagInputs& inputs, std::shared_ptr<OpenArrays> open, ArrayFile file,
                         ArrayInfo info)
    : inputs_(inputs), open_(std::move(open)), file_(std::move(file)), info_(std::move(info)) {}

bool ArraySource::MayPoolTo(Index dimension) const {
  if (!inputs_.has_blocks()) return dimension == info_.shape.back();
  return dimension > 0 && dimension % inputs_.num_blocks == 0 &&
         info_.shape.back() % (dimension / inputs_.num_blocks) == 0;
}

std::shared_ptr<const LoadedArray> ArraySource::Take() {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  if (!loaded_) {
    try {
      loaded_ = Load();
    } catch (...) {
      error_ = std::current_exception();
      throw;
    }
  }
  const std::shared_ptr<const LoadedArray> array = loaded_;
  if (--expected_ == 0) loaded_.reset();
  return array;
}

std::shared_ptr<const LoadedArray> ArraySource::Load() const {
  auto array = std::make_shared<LoadedArray>();
  const std::shared_ptr<const ArrayReader> reader = file_.Open(*open_);
  const std::size_t index = FindOrOnly(*reader, info_.name);
  if (reader->arrays()[index].shape != info_.shape) {
    throw FormatError(file_.input.name, "changed while it was being read");
  }
  array->is_double = reader->arrays()[index].type == ElementType::kFloat64;
  if (array->is_double) {
    array->doubles = reader->ReadMatrix(index);
    array->num_rows = array->doubles.rows();
  } else {
    array->values = reader->ReadRows(index);
    array->num_rows = array->values.rows();
  }
  if (inputs_.has_blocks()) LoadBlocks(*array);
  if (!inputs_.input_weights.empty()) LoadWeights(*array);
  return array;
}

void ArraySource::LoadBlocks(LoadedArray& array) const {
  const std::string path = CompanionFile(inputs_.blocks, file_);
  const std::shared_ptr<const ArrayReader> reader = open_->Open(path);
  const std::size_t index = FindOrOnly(*reader, info_.name);
  const std::vector<Index>& shape = reader->arrays()[index].shape;
  const std::vector<Index>& values = info_.shape;
  // One per row of a batch may be given bag by bag, or for all rows at once.
  const auto counts_rows = [&](const std::vector<Index>& s) {
    return s == std::vector<Index>(values.begin(), values.end() - 1) ||
           s == std::vector<Index>{array.num_rows};
  };
  const bool table = !counts_rows(shape);
  const Index k = table && !shape.empty() ? shape.back() : 1;
  const bool fits = !table || (!shape.empty() && k >= 1 && values.back() % k == 0 &&
                               counts_rows({shape.begin(), shape.end() - 1}));
  if (!fits) {
    throw FormatError(
        path, fmt::format("blocks of shape ({}) do not go with the array of shape ({}) in {}",
                          fmt::join(shape, ", "), fmt::join(values, ", "), file_.input.name));
  }
  array.entries_per_row = k;
  // Only a table of entries can leave some out; one block per row is one block.
  const std::int64_t smallest = table ? -1 : 0;
  for (const std::int64_t block : reader->ReadIntegers(index)) {
    if (block < smallest || block >= inputs_.num_blocks) {
      throw FormatError(
          path, fmt::format("block of row {} must be in [{}, {}], got {}", array.blocks.size() / k,
                            smallest, inputs_.num_blocks - 1, block));
    }
    array.blocks.push_back(static_cast<std::int32_t>(block));
  }
}

void ArraySource::LoadWeights(LoadedArray& array) const {
  const std::string path = CompanionFile(inputs_.input_weights, file_);
  const std::shared_ptr<const ArrayReader> reader = open_->Open(path);
  const std::vector<double> weights = reader->ReadDoubles(FindOrOnly(*reader, info_.name));
  if (static_cast<Index>(weights.size()) != array.num_rows) {
    throw FormatError(path, fmt::format("{} weights for the {} rows of {}", weights.size(),
                                        array.num_rows, file_.input.name));
  }
  array.weights = Eigen::Map<const EigenVector>(weights.data(), array.num_rows);
}

}  // namespace alcedo
