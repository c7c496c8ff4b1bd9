#include "alcedo/store/value_bytes.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

template <class T>
void CheckRange(const Matrix& values) {
  constexpr bool kFloat = sizeof(T) == 4;
  Hint larger;
  if (kFloat) larger = {.text = "use", .option = "dtype", .value = "f8"};
  for (Index l = 0; l < values.rows(); ++l) {
    const bool vanishes = (values.row(l).array().template cast<T>() == T{0}).all();
    if (vanishes && !values.row(l).isZero(0)) {
      throw InvalidArgument("the pooled values are so small that all are 0 in f4", larger);
    }
    for (Index d = 0; d < values.cols(); ++d) {
      // Compared after rounding: the doubles just above the largest float round down to it.
      if (!std::isfinite(static_cast<T>(values(l, d)))) {
        throw InvalidArgument(fmt::format("the pooled value {} at {} is beyond the range of {}",
                                          values(l, d), d, kFloat ? "f4" : "f8"),
                              larger);
      }
    }
  }
}

template <class T>
std::string Convert(const Matrix& values) {
  CheckRange<T>(values);
  std::string bytes(static_cast<std::size_t>(values.size()) * sizeof(T), '\0');
  char* out = bytes.data();
  for (Index i = 0; i < values.size(); ++i, out += sizeof(T)) {
    const T value = static_cast<T>(values.data()[i]);
    std::memcpy(out, &value, sizeof(T));
  }
  return bytes;
}

// The first value that is not finite, counted from the start of `values`; -1 if all are.
template <typename T>
Index FirstNotFinite(std::string_view values) {
  for (std::size_t i = 0; i < values.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, values.data() + i, sizeof(T));
    if (!std::isfinite(value)) return static_cast<Index>(i / sizeof(T));
  }
  return -1;
}

template <class Values>
std::string_view MemoryOf(const Values& values) {
  static_assert(std::endian::native == std::endian::little);
  return {reinterpret_cast<const char*>(values.data()),
          static_cast<std::size_t>(values.size()) * sizeof(*values.data())};
}

}  // namespace

std::string ValueBytes(const Matrix& values, ValueType type) {
  return type == ValueType::kFloat32 ? Convert<float>(values) : Convert<double>(values);
}

void CheckValues(const Matrix& values, ValueType type) {
  type == ValueType::kFloat32 ? CheckRange<float>(values) : CheckRange<double>(values);
}

std::string_view ShardValues::Convert(ValueType type, Index rows, Index columns,
                                      std::string& storage) const {
  if (rows_ == nullptr && matrix_ == nullptr) return bytes_;
  const Index own_rows = rows_ != nullptr ? rows_->rows() : matrix_->rows();
  const Index own_columns = rows_ != nullptr ? rows_->cols() : matrix_->cols();
  // Without rows the number of columns does not matter.
  if (own_rows != rows || (rows > 0 && own_columns != columns)) {
    throw InvalidArgument(fmt::format("the values of a shard must be {} x {}, got {} x {}", rows,
                                      columns, own_rows, own_columns));
  }
  if (rows_ != nullptr && type == ValueType::kFloat32) return MemoryOf(*rows_);
  if (matrix_ != nullptr && type == ValueType::kFloat64) return MemoryOf(*matrix_);
  storage = rows_ != nullptr ? ValueBytes(rows_->cast<double>(), type) : ValueBytes(*matrix_, type);
  return storage;
}

std::string_view ShardValues::Bytes(ValueType type, Index rows, Index columns,
                                    std::string& storage) const {
  const std::string_view bytes = Convert(type, rows, columns, storage);
  const Index expected = rows * columns * (type == ValueType::kFloat32 ? 4 : 8);
  if (static_cast<Index>(bytes.size()) != expected) {
    throw InvalidArgument(
        fmt::format("the values of a shard must have {} bytes, got {}", expected, bytes.size()));
  }
  const Index bad =
      type == ValueType::kFloat32 ? FirstNotFinite<float>(bytes) : FirstNotFinite<double>(bytes);
  if (bad < 0) return bytes;
  throw InvalidArgument(
      fmt::format("the values of a shard must be finite; row {}, column {} is NaN or infinite",
                  bad / columns, bad % columns));
}

}  // namespace alcedo
