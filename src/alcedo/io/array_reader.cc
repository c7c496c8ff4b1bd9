#include "alcedo/io/array_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/byte_source.h"
#include "alcedo/io/element.h"
#include "alcedo/io/npy.h"
#include "alcedo/io/npz.h"
#include "alcedo/io/payload.h"
#include "alcedo/io/safetensors.h"

namespace alcedo {
namespace {

using internal::ByteSource;
using internal::PayloadReader;

internal::ArrayTable ReadTable(const ByteSource& source) {
  if (source.size() == 0) throw FormatError(source.name(), "is empty");
  const std::string start = source.ReadString(0, std::min<std::uint64_t>(source.size(), 9));
  if (start.starts_with(internal::kNpyMagic)) return internal::ReadNpyTable(source);
  // A zip without members begins with the record that otherwise ends it.
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) {
    return internal::ReadNpzTable(source);
  }
  if (start.size() == 9 && start.back() == '{') return internal::ReadSafetensorsTable(source);
  throw FormatError(source.name(), "is neither a .npy, nor a .npz, nor a .safetensors file");
}

// The rows and columns that a shape stands for.
std::pair<Index, Index> RowsAndColumns(const std::vector<Index>& shape) {
  Index rows = 1;
  for (std::size_t d = 0; d + 1 < shape.size(); ++d) rows *= shape[d];
  return {rows, shape.empty() ? 1 : shape.back()};
}

// Where an element is: column, row, and which of the matrices that an array of more dimensions
// holds.
std::string Position(const ArrayInfo& info, std::size_t element) {
  if (info.shape.empty()) return "the value";
  if (info.shape.size() == 1) return fmt::format("entry {}", element);
  std::vector<std::size_t> index(info.shape.size());
  for (std::size_t d = index.size(); d-- > 0;) {
    index[d] = element % static_cast<std::size_t>(info.shape[d]);
    element /= static_cast<std::size_t>(info.shape[d]);
  }
  const std::size_t columns = index.size() - 1;
  const std::string place = fmt::format("row {}, column {}", index[columns - 1], index[columns]);
  index.resize(columns - 1);
  return index.empty() ? place : fmt::format("item {}, {}", fmt::join(index, ", "), place);
}

// Block by block without a branch per element: this pass runs over all data that is ever read.
template <typename T>
std::optional<std::size_t> FirstNotFinite(std::span<const T> values) {
  constexpr std::size_t kBlock = 4096;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, values.size());
    bool finite = true;
    for (std::size_t i = begin; i < end; ++i) {
      finite &= std::abs(values[i]) <= std::numeric_limits<T>::max();
    }
    for (std::size_t i = begin; !finite && i < end; ++i) {
      if (!std::isfinite(values[i])) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

bool HasArrayExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension == ".npy" || extension == ".npz" || extension == ".safetensors";
}

struct ArrayReader::Impl {
  explicit Impl(std::unique_ptr<ByteSource> opened)
      : source(std::move(opened)), table(ReadTable(*source)) {
    places.reserve(table.arrays.size());
    for (std::size_t i = 0; i < table.arrays.size(); ++i) places.emplace(table.arrays[i].name, i);
  }

  const ArrayInfo& Info(std::size_t array) const {
    if (array >= table.arrays.size()) {
      throw InvalidArgument(fmt::format("{}: array number {} is asked for, but there are {}",
                                        source->name(), array, table.arrays.size()));
    }
    return table.arrays[array];
  }

  internal::Place WhereIs(const ArrayInfo& info) const {
    return internal::ArrayPlace(source->name(), info.name);
  }

  const ArrayInfo& FloatingPointInfo(std::size_t array) const {
    const ArrayInfo& info = Supported(array);
    if (!internal::IsFloatingPoint(info.type)) {
      WhereIs(info).Fail(fmt::format("{} is not floating-point; save the array as float32",
                                     internal::Describe(info)));
    }
    return info;
  }

  const ArrayInfo& IntegerInfo(std::size_t array) const {
    const ArrayInfo& info = Supported(array);
    if (!internal::IsInteger(info.type)) {
      WhereIs(info).Fail(fmt::format("{} is not an integer array; save the array as int64",
                                     internal::Describe(info)));
    }
    return info;
  }

  PayloadReader Elements(std::size_t array) const {
    return PayloadReader(*source, table.arrays[array], table.payloads[array]);
  }

  [[noreturn]] void Refuse(const ArrayInfo& info, std::size_t element, double value) const {
    const std::string what = std::isnan(value) ? "NaN"
                             : std::isinf(value)
                                 ? "infinite"
                                 : fmt::format("{}, beyond the range of float", value);
    WhereIs(info).Fail(fmt::format("{} is {}; remove or replace it before pooling",
                                   Position(info, element), what));
  }

  std::unique_ptr<ByteSource> source;
  internal::ArrayTable table;
  std::unordered_map<std::string_view, std::size_t> places;  // of arrays, by name

 private:
  const ArrayInfo& Supported(std::size_t array) const {
    const ArrayInfo& info = Info(array);
    const std::string& refusal = table.payloads[array].refusal;
    if (!refusal.empty()) WhereIs(info).Fail(refusal);
    return info;
  }
};

ArrayReader::ArrayReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ArrayReader::ArrayReader(ArrayReader&&) noexcept = default;
ArrayReader& ArrayReader::operator=(ArrayReader&&) noexcept = default;
ArrayReader::~ArrayReader() = default;

ArrayReader ArrayReader::Open(const std::filesystem::path& path) {
  return ArrayReader(std::make_unique<Impl>(ByteSource::Open(path)));
}

ArrayReader ArrayReader::FromBytes(std::string bytes, std::string name) {
  return ArrayReader(
      std::make_unique<Impl>(ByteSource::FromBytes(std::move(bytes), std::move(name))));
}

ArrayReader ArrayReader::FromView(std::string_view bytes, std::string name) {
  return ArrayReader(std::make_unique<Impl>(ByteSource::FromView(bytes, std::move(name))));
}

const std::string& ArrayReader::file_name() const { return impl_->source->name(); }
const std::vector<ArrayInfo>& ArrayReader::arrays() const { return impl_->table.arrays; }
const std::map<std::string, std::string>& ArrayReader::metadata() const {
  return impl_->table.metadata;
}

std::size_t ArrayReader::Find(const std::string& name) const {
  const auto found = impl_->places.find(name);
  if (found != impl_->places.end()) return found->second;
  constexpr std::size_t kListed = 20;
  const std::size_t count = arrays().size();
  std::string names;
  for (std::size_t i = 0; i < std::min(count, kListed); ++i) {
    names += (i == 0 ? "" : ", ") + internal::Quote(arrays()[i].name);
  }
  if (count > kListed) names += fmt::format(" and {} more", count - kListed);
  throw FormatError(file_name(), fmt::format("has no array {}, only {}", internal::Quote(name),
                                             names.empty() ? "none" : names));
}

Rows ArrayReader::ReadRows(std::size_t array) const {
  const ArrayInfo& info = impl_->FloatingPointInfo(array);
  const PayloadReader elements = impl_->Elements(array);
  const auto [row_count, column_count] = RowsAndColumns(info.shape);
  Rows rows(row_count, column_count);
  const std::span<float> values(rows.data(), static_cast<std::size_t>(rows.size()));
  elements.Read(values);
  if (const auto bad = FirstNotFinite<float>(values)) {
    // What became infinite may have been a finite double: look at it once more.
    std::vector<double> originals(values.size());
    elements.Read(std::span(originals));
    impl_->Refuse(info, *bad, originals[*bad]);
  }
  return rows;
}

Matrix ArrayReader::ReadMatrix(std::size_t array) const {
  const ArrayInfo& info = impl_->FloatingPointInfo(array);
  const auto [row_count, column_count] = RowsAndColumns(info.shape);
  Matrix rows(row_count, column_count);
  const std::span<double> values(rows.data(), static_cast<std::size_t>(rows.size()));
  impl_->Elements(array).Read(values);
  if (const auto bad = FirstNotFinite<double>(values)) impl_->Refuse(info, *bad, values[*bad]);
  return rows;
}

std::vector<double> ArrayReader::ReadDoubles(std::size_t array) const {
  const ArrayInfo& info = impl_->FloatingPointInfo(array);
  const PayloadReader elements = impl_->Elements(array);
  std::vector<double> values(static_cast<std::size_t>(info.size()));
  elements.Read(std::span(values));
  if (const auto bad = FirstNotFinite<double>(values)) impl_->Refuse(info, *bad, values[*bad]);
  return values;
}

std::vector<std::int64_t> ArrayReader::ReadIntegers(std::size_t array) const {
  const ArrayInfo& info = impl_->IntegerInfo(array);
  const PayloadReader elements = impl_->Elements(array);
  std::vector<std::int64_t> values(static_cast<std::size_t>(info.size()));
  elements.Read(std::span(values));
  if (info.type == ElementType::kUint64) {
    const auto bad =
        std::find_if(values.begin(), values.end(), [](auto value) { return value < 0; });
    if (bad != values.end()) {
      impl_->WhereIs(info).Fail(
          fmt::format("{} is {}, beyond the range of int64",
                      Position(info, static_cast<std::size_t>(bad - values.begin())),
                      static_cast<std::uint64_t>(*bad)));
    }
  }
  return values;
}

bool LooksLikeArrays(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x93NUMPY") || first_bytes.starts_with("PK\x03\x04")) return true;
  // A .safetensors begins with the length of its header, and the header with a brace.
  return first_bytes.size() > 8 && first_bytes[8] == '{' && first_bytes[7] == '\0';
}

}  // namespace alcedo
