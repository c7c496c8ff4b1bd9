// The last line of a long command, for a person at a terminal and for nobody else.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/index.h"

namespace alcedo::cli {

// "120 images in 0:07, 17.1 images/s; wrote out.npy". Without items "done in 0:07"; outputs that
// are empty or standard output ("-") are not named.
std::string DoneText(Index items, double seconds, std::string_view unit,
                     const std::vector<std::string>& outputs);

// Counts from its making on.
class DoneLine {
 public:
  explicit DoneLine(bool quiet) : quiet_(quiet) {}

  // Prints nothing where standard error is no terminal, or `quiet`.
  void Print(Index items, std::string_view unit, const std::vector<std::string>& outputs) const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool quiet_;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace alcedo::cli
