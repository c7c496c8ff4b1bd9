#include "alcedo/base/error.h"

#include <fmt/format.h>

namespace alcedo {

void Require(bool ok, std::string_view name, std::string_view rule, double value) {
  if (!ok) throw InvalidArgument(fmt::format("{} must be {}, got {}", name, rule, value));
}

}  // namespace alcedo
