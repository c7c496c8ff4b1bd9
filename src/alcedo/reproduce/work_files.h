// JSON files of a work folder, and the time that its stages took.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "alcedo/base/run.h"
#include "alcedo/config/field_json.h"
#include "alcedo/report/results.h"

namespace alcedo::reproduce {

// FormatError that says what to do if it is not what WriteJson() wrote.
Json ReadJson(const std::filesystem::path& file);
// An object, with a checksum. Whole or not at all; makes the folder it is in.
void WriteJson(const Run& run, const std::filesystem::path& file, const Json& json);

// Wall-clock and processor time of a stage, added up over all runs in run.work / "timings.json".
class Stopwatch {
 public:
  Stopwatch(const Run& run, std::string stage);

  // `images` is what there was to do, now or earlier.
  void Stop(std::int64_t images);

 private:
  using Clock = std::chrono::steady_clock;

  const Run& run_;
  std::string stage_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_;
};

// What the stopwatches of a work folder have seen, added to those of the same stage.
void AddTimings(const std::filesystem::path& work, const std::string& dataset,
                report::Results& results);

}  // namespace alcedo::reproduce
