#include "alcedo/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#ifdef ALCEDO_THREADS_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

// Keeps the exception of the smallest index, so that the error a user sees does not depend on which
// thread was first.
class FirstError {
 public:
  void Capture(Index index) {
    const std::lock_guard lock(mutex_);
    if (!error_ || index < index_) {
      index_ = index;
      error_ = std::current_exception();
    }
    failed_.store(true, std::memory_order_relaxed);
  }
  bool Failed() const { return failed_.load(std::memory_order_relaxed); }
  void Rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  Index index_ = 0;
  std::atomic<bool> failed_{false};
};

#ifdef ALCEDO_THREADS_TBB
// Arenas that are not in use. TBB (2021.8) does not free all of an arena, 7 KB of each: made anew
// for every call, they would let the memory of a long run grow without end.
class IdleArenas {
 public:
  std::unique_ptr<tbb::task_arena> Take(int workers) {
    const std::lock_guard lock(mutex_);
    std::vector<std::unique_ptr<tbb::task_arena>>& idle = idle_[workers];
    if (idle.empty()) return std::make_unique<tbb::task_arena>(workers);
    std::unique_ptr<tbb::task_arena> arena = std::move(idle.back());
    idle.pop_back();
    return arena;
  }
  void GiveBack(int workers, std::unique_ptr<tbb::task_arena> arena) {
    const std::lock_guard lock(mutex_);
    idle_[workers].push_back(std::move(arena));
  }

  // Never destroyed: threads may still be at work when static objects are.
  static IdleArenas& Get() {
    static IdleArenas& arenas = *new IdleArenas;
    return arenas;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<std::unique_ptr<tbb::task_arena>>> idle_;
};
#endif

}  // namespace

int HardwareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void ParallelFor(Index count, int threads, const std::function<void(Index)>& body) {
  Require(count >= 0, "ParallelFor count", ">= 0", static_cast<double>(count));
  Require(threads >= 1, "threads", ">= 1", threads);
  const int workers = static_cast<int>(std::min<Index>(threads, count));
  if (workers <= 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }

  FirstError error;
  std::atomic<Index> next{0};
  // Items are taken one by one from a shared counter: blocks and bags differ in size by orders of
  // magnitude, and a static split would leave threads idle.
  const auto drain = [&] {
    while (!error.Failed()) {
      const Index i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= count) return;
      try {
        body(i);
      } catch (...) {
        error.Capture(i);
      }
    }
  };

#ifdef ALCEDO_THREADS_TBB
  // More threads than the hardware has is for tests; TBB wants to be told, and would print
  // otherwise.
  std::optional<tbb::global_control> more;
  if (workers > HardwareThreads()) {
    more.emplace(tbb::global_control::max_allowed_parallelism, workers);
  }
  std::unique_ptr<tbb::task_arena> arena = IdleArenas::Get().Take(workers);
  arena->execute([&] { tbb::parallel_for(0, workers, [&](int) { drain(); }); });
  IdleArenas::Get().GiveBack(workers, std::move(arena));
#else
  std::vector<std::jthread> pool;
  pool.reserve(workers - 1);
  for (int w = 1; w < workers; ++w) pool.emplace_back(drain);
  drain();
  pool.clear();  // joins
#endif
  error.Rethrow();
}

}  // namespace alcedo
