#include "alcedo/store/value_bytes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

template <class T>
std::string Convert(const Matrix& values) {
  std::string bytes(static_cast<std::size_t>(values.size()) * sizeof(T), '\0');
  char* out = bytes.data();
  for (Index l = 0; l < values.rows(); ++l) {
    const bool vanishes = (values.row(l).array().cast<T>() == T{0}).all();
    if (vanishes && !values.row(l).isZero(0)) {
      throw InvalidArgument(
          "the pooled values are so small that all are 0 in f4; use --dtype f8 or --l2");
    }
    for (Index d = 0; d < values.cols(); ++d, out += sizeof(T)) {
      // Compared after rounding: the doubles just above the largest float round down to it.
      const T value = static_cast<T>(values(l, d));
      if (!std::isfinite(value)) {
        throw InvalidArgument(fmt::format("the pooled value {} at {} is beyond the range of {}",
                                          values(l, d), d,
                                          sizeof(T) == 4 ? "f4; use --dtype f8" : "f8"));
      }
      std::memcpy(out, &value, sizeof(T));
    }
  }
  return bytes;
}

}  // namespace

std::string ValueBytes(const Matrix& values, ValueType type) {
  return type == ValueType::kFloat32 ? Convert<float>(values) : Convert<double>(values);
}

}  // namespace alcedo
