// The type of computed values in files.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "alcedo/base/options.h"

namespace alcedo {

enum class ValueType { kFloat32, kFloat64 };
template <>
struct EnumNames<ValueType> {
  static constexpr std::array<std::pair<ValueType, std::string_view>, 2> values{
      {{ValueType::kFloat32, "f4"}, {ValueType::kFloat64, "f8"}}};
};

}  // namespace alcedo
