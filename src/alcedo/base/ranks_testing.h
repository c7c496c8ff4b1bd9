// For tests: threads in the place of processes that fit one model together.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "alcedo/base/ranks.h"
#include "alcedo/base/types.h"

namespace alcedo::ranks_testing {

// Runs work(rank, ranks) in a thread for each rank.
inline void RunRanks(int count, const std::function<void(int, const Ranks&)>& work) {
  std::barrier barrier(count);
  std::vector<std::span<double>> values(count);
  std::vector<double> sums;
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      const auto all_reduce = [&](std::span<double> own) {
        values[rank] = own;
        barrier.arrive_and_wait();
        if (rank == 0) {
          sums.assign(own.size(), 0.0);
          // Backwards: the order does not matter.
          for (int other = count - 1; other >= 0; --other) {
            ASSERT_EQ(values[other].size(), own.size());
            for (std::size_t i = 0; i < own.size(); ++i) sums[i] += values[other][i];
          }
        }
        barrier.arrive_and_wait();
        std::copy(sums.begin(), sums.end(), own.begin());
        barrier.arrive_and_wait();
      };
      work(rank, {rank, count, all_reduce});
    });
  }
}

// The fits of all ranks, each on its part of the rows. fit(samples, ranks, threads).
template <class Model, class Fit>
std::vector<Model> FitParts(const Rows& rows, const std::vector<Index>& sizes, const Fit& fit) {
  std::vector<Rows> parts;
  Index begin = 0;
  for (const Index size : sizes) {
    parts.push_back(rows.middleRows(begin, size));
    begin += size;
  }
  EXPECT_EQ(begin, rows.rows());
  std::vector<Model> models(sizes.size());
  RunRanks(static_cast<int>(sizes.size()), [&](int rank, const Ranks& ranks) {
    models[rank] = fit(SampleSource(parts[rank]), ranks, rank + 1);
  });
  return models;
}

}  // namespace alcedo::ranks_testing
