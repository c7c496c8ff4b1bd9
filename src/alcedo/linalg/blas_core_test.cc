#include "alcedo/linalg/blas_core.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "alcedo/linalg/blas.h"

namespace alcedo::internal {
namespace {

TEST(BlasCore, IsReplacedOnlyWhereOpenBlasDidNotKnowTheProcessor) {
  EXPECT_EQ(BetterBlasCore("Prescott", {.avx2 = true, .avx512 = true}), "SkylakeX");
  EXPECT_EQ(BetterBlasCore("Prescott", {.avx2 = true}), "Haswell");
  EXPECT_EQ(BetterBlasCore("Prescott", {}), std::nullopt);
  EXPECT_EQ(BetterBlasCore("Haswell", {.avx2 = true, .avx512 = true}), std::nullopt);
  EXPECT_EQ(BetterBlasCore("Zen", {.avx2 = true}), std::nullopt);
}

TEST(BlasCore, FitsThisProcessor) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
    GTEST_SKIP() << "OPENBLAS_CORETYPE is set: the kernels are what it says";
  }
  EXPECT_EQ(BetterBlasCore(blas::CoreName(), VectorUnitsHere()), std::nullopt)
      << "OpenBLAS has the kernels of " << blas::CoreName();
}

}  // namespace
}  // namespace alcedo::internal
