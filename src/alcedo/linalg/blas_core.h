// Which of its kernels OpenBLAS takes.
//
// OpenBLAS 0.3.21 chooses them by a table of processor models, and a model that is newer than the
// table gets those of 2004, with SSE3: five times slower than what an Emerald Rapids can do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alcedo::internal {

// What a processor and its operating system can do.
struct VectorUnits {
  bool avx2 = false;    // with FMA
  bool avx512 = false;  // F, BW, CD, DQ and VL
};

// The kernels that fit the processor, by OpenBLAS's name for them; nothing if OpenBLAS knew it.
std::optional<std::string> BetterBlasCore(std::string_view chosen, VectorUnits units);

// Of the processor that this runs on.
VectorUnits VectorUnitsHere();

// Has OpenBLAS take the better kernels if there are any; whether it did. Only while libraries are
// loaded, after OpenBLAS and before main(): no thread may be inside of OpenBLAS.
bool ChooseBlasCore();

}  // namespace alcedo::internal
