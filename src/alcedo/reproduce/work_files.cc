#include "alcedo/reproduce/work_files.h"

#include <sys/resource.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/config/field_json.h"
#include "alcedo/config/sealed_json.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kMaxJson = std::int64_t{1} << 30;

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

}  // namespace

Json ReadJson(const fs::path& file) {
  try {
    return ParseSealedJson(ReadFileBytes(file, kMaxJson), file.string());
  } catch (const FormatError& error) {
    throw FormatError(error.file(), error.reason(),
                      {.text = "remove it and run the same command again"});
  }
}

void WriteJson(const Run& run, const fs::path& file, const Json& json) {
  fs::create_directories(file.parent_path());
  Write(run, [&] { WriteWholeFile(file, SealedJsonText(json)); });
}

namespace {

// Bytes that have been resident at once so far.
std::int64_t ProcessPeakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{1024} * usage.ru_maxrss;
}

fs::path TimingsFile(const Run& run) { return run.work / "timings.json"; }

Json ReadTimings(const Run& run) {
  const fs::path file = TimingsFile(run);
  return fs::exists(file) ? ReadJson(file).at("stages") : Json::array();
}

}  // namespace

Stopwatch::Stopwatch(const Run& run, const Maker& maker, std::string stage,
                     std::vector<std::string> what)
    : run_(run),
      maker_(maker),
      stage_(std::move(stage)),
      what_(std::move(what)),
      cpu_start_(CpuSeconds()) {}

Stopwatch::~Stopwatch() {
  if (stopped_) return;
  try {
    Stop(0, true);
  } catch (...) {  // another error is on its way
  }
}

void Stopwatch::Stop(std::int64_t images, bool made_something) {
  stopped_ = true;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double cpu = CpuSeconds() - cpu_start_;
  Json stages = ReadTimings(run_);
  auto found = std::ranges::find_if(
      stages, [&](const Json& s) { return s.at("stage") == stage_ && s.at("what") == what_; });
  if (found == stages.end()) {
    stages.push_back({{"stage", stage_},
                      {"what", what_},
                      {"seconds", 0},
                      {"cpu_seconds", 0},
                      {"images", 0},
                      {"peak_memory", 0},
                      {"makers", Json::array()}});
    found = stages.end() - 1;
  }
  // A folder of an earlier version does not know it of all of its runs.
  if (const auto peak = found->find("peak_memory"); peak != found->end()) {
    *peak = std::max(peak->get<std::int64_t>(), ProcessPeakMemory());
  }
  if (made_something) {
    const Json mine = {maker_.commit, maker_.processor};
    Json& makers = (*found)["makers"];
    if (std::ranges::find(makers, mine) == makers.end()) makers.push_back(mine);
  }
  (*found)["seconds"] = found->at("seconds").get<double>() + seconds;
  (*found)["cpu_seconds"] = found->at("cpu_seconds").get<double>() + cpu;
  (*found)["images"] = found->at("images").get<std::int64_t>() + images;
  WriteJson(run_, TimingsFile(run_), {{"stages", std::move(stages)}});
}

namespace {

bool IsFor(const Json& stage, const std::set<std::string>& names) {
  return std::ranges::all_of(
      stage.at("what"), [&](const Json& name) { return names.contains(name.get<std::string>()); });
}

}  // namespace

void AddTimings(const Run& run, const std::string& dataset, const std::set<std::string>& names,
                std::vector<report::Timing>& timings) {
  for (const Json& stage : ReadTimings(run)) {
    if (!IsFor(stage, names)) continue;
    auto found = std::ranges::find_if(timings, [&](const report::Timing& timing) {
      return timing.dataset == dataset && timing.stage == stage.at("stage");
    });
    if (found == timings.end())
      found = timings.insert(found, {dataset, stage.at("stage"), 0, 0, 0});
    found->seconds += stage.at("seconds").get<double>();
    found->cpu_seconds += stage.at("cpu_seconds").get<double>();
    found->images += stage.at("images").get<std::int64_t>();
  }
}

std::vector<Maker> Makers(const Run& run, const std::set<std::string>& names) {
  std::vector<Maker> makers;
  for (const Json& stage : ReadTimings(run)) {
    if (!IsFor(stage, names)) continue;
    for (const Json& maker : stage.at("makers")) makers.push_back({maker.at(0), maker.at(1)});
  }
  return makers;
}

void AddMaker(const Maker& maker, report::Results& results) {
  const auto join = [](std::string& text, const std::string& more) {
    if (more.empty() || text.find(more) != std::string::npos) return;
    text += (text.empty() ? "" : ", ") + more;
  };
  join(results.commit, maker.commit);
  join(results.processor, maker.processor);
}

std::optional<std::int64_t> PeakMemory(const Run& run, const std::set<std::string>& names) {
  std::int64_t most = ProcessPeakMemory();
  for (const Json& stage : ReadTimings(run)) {
    if (!IsFor(stage, names)) continue;
    if (!stage.contains("peak_memory")) return std::nullopt;
    most = std::max(most, stage.at("peak_memory").get<std::int64_t>());
  }
  return most;
}

}  // namespace alcedo::reproduce
