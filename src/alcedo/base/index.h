// The type of every count and every position: signed, as wide as a pointer.
#pragma once

#include <cstddef>

namespace alcedo {

// The same type as Eigen::Index. Most headers need this type and nothing else of Eigen, which takes
// a second to compile.
using Index = std::ptrdiff_t;

}  // namespace alcedo
