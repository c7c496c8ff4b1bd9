#include "alcedo/linalg/blas_core.h"

#include <cblas.h>

#include <cstdlib>

// Of OpenBLAS if it has kernels for several processors; nowhere declared, and absent from others.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace alcedo::internal {

std::optional<std::string> BetterBlasCore(std::string_view chosen, VectorUnits units) {
  // What it falls back to; no processor with AVX2 is any of these.
  const bool fallback = chosen == "Prescott" || chosen == "Katmai" || chosen == "Generic";
  if (!fallback || !units.avx2) return std::nullopt;
  return units.avx512 ? "SkylakeX" : "Haswell";
}

VectorUnits VectorUnitsHere() {
#if defined(__x86_64__)
  VectorUnits units;
  __builtin_cpu_init();
  units.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  units.avx512 = units.avx2 && __builtin_cpu_supports("avx512f") &&
                 __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return units;
#else
  return {};
#endif
}

bool ChooseBlasCore() {
  constexpr char kVariable[] = "OPENBLAS_CORETYPE";
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return false;
  if (std::getenv(kVariable) != nullptr) return false;  // somebody has chosen for themselves
  const auto better = BetterBlasCore(openblas_get_corename(), VectorUnitsHere());
  if (!better) return false;
  setenv(kVariable, better->c_str(), 1);  // the only way to tell it
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);
  return true;
}

}  // namespace alcedo::internal
