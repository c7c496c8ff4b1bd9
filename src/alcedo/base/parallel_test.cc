#include "alcedo/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
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
#endif

TEST(ParallelFor, RefusesNonsense) {
  EXPECT_THROW(ParallelFor(-1, 1, [](Index) {}), InvalidArgument);
  EXPECT_THROW(ParallelFor(1, 0, [](Index) {}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
