// The one driver over many inputs: in parallel, in order, in memory that does not grow with their
// number.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/base/run.h"

namespace alcedo {

// 0, 1, ... count - 1.
inline std::vector<Index> AllNumbers(Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

// Calls produce(number, threads) for every one of `numbers`, several at once, and hands the results
// over to consume(numbers, results) in groups of `group` consecutive ones (the last may be
// smaller), in order, from the calling thread; results are the consumer's to move from. At most one
// group, or four results per thread if that is more, is in memory. `progress` counts every result.
// A produce that fails for one input returns a result that says so: what it throws, like what the
// consumer throws, ends the run. Threads work on several inputs, or inside of the only one.
template <class Result>
void ForEachInput(std::span<const Index> numbers, Index group, const Run& run, Progress& progress,
                  const std::function<Result(Index number, int threads)>& produce,
                  const std::function<void(std::span<const Index>, std::span<Result>)>& consume) {
  constexpr Index kResultsPerThread = 4;  // so that threads seldom wait for each other
  const auto total = static_cast<Index>(numbers.size());
  // Whole groups, so that none is cut in two.
  const Index batch =
      (std::max(group, kResultsPerThread * run.threads) + group - 1) / group * group;
  std::mutex mutex;
  for (Index begin = 0; begin < total; begin += batch) {
    const Index count = std::min(batch, total - begin);
    std::vector<Result> results(static_cast<std::size_t>(count));
    const int inner_threads = count == 1 ? run.threads : 1;
    ParallelFor(count, run.threads, [&](Index i) {
      results[static_cast<std::size_t>(i)] =
          produce(numbers[static_cast<std::size_t>(begin + i)], inner_threads);
      const std::lock_guard lock(mutex);
      ++progress.done;
      Report(run, progress);
    });
    for (Index first = 0; first < count; first += group) {
      const auto size = static_cast<std::size_t>(std::min(group, count - first));
      consume(numbers.subspan(static_cast<std::size_t>(begin + first), size),
              std::span(results).subspan(static_cast<std::size_t>(first), size));
    }
  }
}

}  // namespace alcedo
