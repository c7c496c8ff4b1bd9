#include "alcedo/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
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

// How many threads the system lets us have. TBB (2021.8) cannot be asked: where a limit on
// processes or on memory refuses one, it throws out of the middle of its scheduler. So as many are
// started once, and end again; that takes 20 us for each.
class StartableThreads {
 public:
  // At most `wanted`, with the caller.
  int AtMost(int wanted) {
    const std::lock_guard lock(mutex_);
    if (wanted > most_ && most_ == tried_) {
      tried_ = wanted;
      most_ = Try(wanted);
    }
    return std::min(wanted, most_);
  }

  static StartableThreads& Get() {
    static StartableThreads threads;
    return threads;
  }

 private:
  static int Try(int wanted) {
    std::mutex all_are_there;
    std::vector<std::jthread> threads;
    int count = 1;
    const std::lock_guard lock(all_are_there);  // until then none of them ends
    try {
      threads.reserve(static_cast<std::size_t>(wanted));
      for (; count < wanted; ++count) {
        threads.emplace_back([&] { const std::lock_guard wait(all_are_there); });
      }
    } catch (const std::system_error&) {  // these are all that can be had
    } catch (const std::bad_alloc&) {
    }
    return count;
  }

  std::mutex mutex_;
  int tried_ = 1;
  int most_ = 1;
};
#endif

}  // namespace

int HardwareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void ParallelFor(Index count, int threads, const std::function<void(Index)>& body) {
  Require(count >= 0, "ParallelFor count", ">= 0", static_cast<double>(count));
  Require(threads >= 1, "threads", ">= 1", threads);
  int workers = static_cast<int>(std::min<Index>(threads, count));
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
  workers = StartableThreads::Get().AtMost(workers);
  if (workers == 1) {
    drain();
    error.Rethrow();
    return;
  }
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
  try {
    for (int w = 1; w < workers; ++w) pool.emplace_back(drain);
  } catch (const std::system_error&) {  // the system has no more: we do with fewer
  }
  drain();
  pool.clear();  // joins
#endif
  error.Rethrow();
}

}  // namespace alcedo
