#include "alcedo/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for (int threads : {1, 2, 3, 8}) {
    for (Index count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      ParallelFor(count, threads, [&](Index i) { visits[i].fetch_add(1); });
      for (const auto& v : visits) ASSERT_EQ(v.load(), 1);
    }
  }
}

TEST(ParallelFor, OneThreadRunsInTheCallerInOrder) {
  std::vector<Index> order;
  const auto caller = std::this_thread::get_id();
  ParallelFor(5, 1, [&](Index i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<Index>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  ParallelFor(200, 3, [&](Index) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 3u);
}

TEST(ParallelFor, RethrowsAndStops) {
  for (int threads : {1, 4}) {
    EXPECT_THROW(ParallelFor(100, threads,
                             [&](Index i) {
                               if (i == 7) throw InvalidArgument("seven");
                             }),
                 InvalidArgument);
  }
}

// Sanitizers keep what is freed.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ParallelFor, TakesNoMemoryForGood) {
  const auto peak_kib = [] {
    struct rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const auto call = [] { ParallelFor(4, 2, [](Index) {}); };
  call();
  const long before = peak_kib();
  for (int i = 0; i < 3000; ++i) call();
  EXPECT_LT(peak_kib() - before, 3000);  // less than a kilobyte for each
}

// Whether all is done though the process may have only so many more MiB of address space.
bool WorksWithin(rlim_t mib) {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * static_cast<rlim_t>(getpagesize()) + (mib << 20);
  const rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
  std::vector<std::atomic<int>> visits(1000);
  ParallelFor(1000, 16, [&](Index i) { visits[i].fetch_add(1); });
  return std::ranges::all_of(visits, [](const auto& count) { return count == 1; });
}

// Address space for no stack at all, and for a few.
TEST(ParallelForDeathTest, DoesWithTheThreadsThatCanBeHad) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process that has no threads yet
  for (const rlim_t mib : {6, 40}) {
    EXPECT_EXIT(_exit(WorksWithin(mib) ? 0 : 1), ::testing::ExitedWithCode(0), "") << mib;
  }
}
#endif

TEST(ParallelFor, RefusesNonsense) {
  EXPECT_THROW(ParallelFor(-1, 1, [](Index) {}), InvalidArgument);
  EXPECT_THROW(ParallelFor(1, 0, [](Index) {}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
