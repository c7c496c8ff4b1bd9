// Computed values as the bytes of an array file.
#pragma once

#include <string>
#include <string_view>

#include "alcedo/base/types.h"
#include "alcedo/base/value_type.h"

namespace alcedo {

// All rows, one after the other, little-endian. Throws InvalidArgument for values that the type
// cannot hold: an infinity is not a value, and neither is a row of zeros that was none.
std::string ValueBytes(const Matrix& values, ValueType type);

// Throws what ValueBytes() would.
void CheckValues(const Matrix& values, ValueType type);

// The values of the images of a shard, one row each, lambda after lambda if there are several.
// Refers to them.
class ShardValues {
 public:
  ShardValues(const Rows& rows) : rows_(&rows) {}           // NOLINT(google-explicit-constructor)
  ShardValues(const Matrix& matrix) : matrix_(&matrix) {}   // NOLINT(google-explicit-constructor)
  ShardValues(std::string_view bytes) : bytes_(bytes) {}    // NOLINT(google-explicit-constructor)
  ShardValues(const std::string& bytes) : bytes_(bytes) {}  // NOLINT(google-explicit-constructor)

  // As elements of `type`, little-endian; `storage` holds them if they must be converted.
  // InvalidArgument unless they are rows x columns, finite, and can be held by the type.
  std::string_view Bytes(ValueType type, Index rows, Index columns, std::string& storage) const;

 private:
  std::string_view Convert(ValueType type, Index rows, Index columns, std::string& storage) const;

  const Rows* rows_ = nullptr;
  const Matrix* matrix_ = nullptr;
  std::string_view bytes_;  // already in the type of the store
};

}  // namespace alcedo
