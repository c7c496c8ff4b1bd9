// The range of lambda over all images, for summaries.
#pragma once

#include <span>
#include <string>

#include "alcedo/pooling/report.h"

namespace alcedo::cli {

class LambdaRange {
 public:
  void Add(double absolute, double relative);
  void Add(std::span<const SolveReport> reports);
  void Add(const LambdaRange& other);

  // "lambda 4 (relative 0.1)", "lambda 4 to 7 (relative 0.1)"; "" if none was added.
  std::string Text() const;

 private:
  struct Range {
    double low = 0, high = 0;
  };
  bool any_ = false;
  Range absolute_, relative_;
};

}  // namespace alcedo::cli
