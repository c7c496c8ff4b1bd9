// JSON files of a work folder, and the time that the stages of this run take.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/config/field_json.h"
#include "alcedo/report/results.h"

namespace alcedo::reproduce {

// FormatError that says what to do if it is not what WriteJson() wrote.
Json ReadJson(const std::filesystem::path& file);
// An object, with a checksum. Whole or not at all; makes the folder it is in.
void WriteJson(const Run& run, const std::filesystem::path& file, const Json& json);

// Wall-clock and processor time of a stage in this run; what earlier runs did is not in it.
class Stopwatch {
 public:
  // Both are copied.
  Stopwatch(const std::string& dataset, const std::string& stage);

  // Adds to the timing of the same dataset and stage. `images` are those of this run.
  void Stop(std::int64_t images, std::vector<report::Timing>& timings);

 private:
  using Clock = std::chrono::steady_clock;

  std::string dataset_, stage_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_;
};

}  // namespace alcedo::reproduce
