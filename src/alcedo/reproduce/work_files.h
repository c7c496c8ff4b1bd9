// JSON files of a work folder, and the time that its stages took.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
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

// Which program made something, and on what.
struct Maker {
  std::string commit;     // empty: not known
  std::string processor;  // likewise
};

// Wall-clock and processor time of one stage, added to run.work / "timings.json" when it ends, also
// by an exception: what a run that was killed did in its last stage is lost.
class Stopwatch {
 public:
  // `what` are the names of the codings or rows that the stage is for.
  Stopwatch(const Run& run, const Maker& maker, std::string stage, std::vector<std::string> what);
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch();

  // `images` are those of this run. A run that found everything there is not one that made it.
  void Stop(std::int64_t images, bool made_something);

 private:
  using Clock = std::chrono::steady_clock;

  const Run& run_;
  Maker maker_;
  std::string stage_;
  std::vector<std::string> what_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_;
  bool stopped_ = false;
};

// Adds what all runs in run.work took for stages that are for nothing but `names`: those of other
// tables are not among the timings of these results.
void AddTimings(const Run& run, const std::string& dataset, const std::set<std::string>& names,
                std::vector<report::Timing>& timings);

// Who made what these results come from, in the order of their work; files of before say nothing.
std::vector<Maker> Makers(const Run& run, const std::set<std::string>& names);

// Names them in the results, each once, separated by commas.
void AddMaker(const Maker& maker, report::Results& results);

// The most memory that these runs and this process had resident, in bytes; nothing if the folder
// does not know it of all.
std::optional<std::int64_t> PeakMemory(const Run& run, const std::set<std::string>& names);

}  // namespace alcedo::reproduce
