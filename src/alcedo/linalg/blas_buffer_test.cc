#include "alcedo/linalg/blas_buffer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <new>
#include <string>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/linalg/blas.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALCEDO_SANITIZED 1
#else
#define ALCEDO_SANITIZED 0
#endif

namespace alcedo {
namespace {

constexpr Index kSize = 300;

// From now on the process may have so many more MiB of address space. What then never ends is ended
// by a signal.
void AllowMore(rlim_t mib) {
  alarm(120);
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("VmSize:")) continue;
    const rlim_t bytes = (std::stoull(line.substr(7)) << 10) + (mib << 20);
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_AS, &limit) == 0) return;
  }
  _exit(2);
}

// 0 if eight products of one matrix, on four threads, are equal; 3 if there was no memory.
int MultiplyInParallel() {
  try {
    const std::vector<double> a(kSize * kSize, 0.5);
    std::vector<std::vector<double>> c(8, std::vector<double>(kSize * kSize));
    ParallelFor(8, 4, [&](Index i) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        blas::AddGram(a.data(), kSize, kSize, kSize, c[i].data(), kSize);
      }
    });
    for (const std::vector<double>& other : c) {
      if (other != c[0] || other[0] != 20 * kSize * 0.25) return 1;
    }
    return 0;
  } catch (const std::bad_alloc&) {
    return 3;
  }
}

class BlasBufferDeathTest : public ::testing::Test {
 protected:
  BlasBufferDeathTest() {
    // Processes of their own: what OpenBLAS has once mapped it keeps.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(BlasBufferDeathTest, TooLittleAddressSpaceIsAnError) {
  if (ALCEDO_SANITIZED) GTEST_SKIP() << "sanitizers need address space without limit";
  for (const rlim_t mib : {60, 120}) {
    EXPECT_EXIT(
        {
          AllowMore(mib);
          _exit(MultiplyInParallel());
        },
        ::testing::ExitedWithCode(3), "")
        << mib;
  }
}

TEST_F(BlasBufferDeathTest, FewBuffersServeManyThreads) {
  if (ALCEDO_SANITIZED) GTEST_SKIP() << "sanitizers need address space without limit";
  // One buffer and two of them, beside the stacks of the threads.
  for (const rlim_t mib : {380, 520}) {
    EXPECT_EXIT(
        {
          AllowMore(mib);
          _exit(MultiplyInParallel());
        },
        ::testing::ExitedWithCode(0), "")
        << mib;
  }
}

}  // namespace
}  // namespace alcedo
