#include "alcedo/reproduce/work_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

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

Stopwatch::Stopwatch(const Run& run, std::string stage)
    : run_(run), stage_(std::move(stage)), cpu_start_(CpuSeconds()) {}

void Stopwatch::Stop(std::int64_t images) {
  const fs::path file = run_.work / "timings.json";
  Json all = fs::exists(file) ? ReadJson(file) : Json::object();
  Json& mine = all[stage_];
  if (mine.is_null()) mine = {{"seconds", 0.0}, {"cpu_seconds", 0.0}};
  const std::chrono::duration<double> wall = Clock::now() - start_;
  mine["seconds"] = mine["seconds"].get<double>() + wall.count();
  mine["cpu_seconds"] = mine["cpu_seconds"].get<double>() + CpuSeconds() - cpu_start_;
  mine["images"] = images;
  WriteJson(run_, file, all);
}

void AddTimings(const fs::path& work, const std::string& dataset, report::Results& results) {
  const Json timings = ReadJson(work / "timings.json");
  for (const auto& entry : timings.items()) {
    const std::string& stage = entry.key();
    const Json& timing = entry.value();
    const auto same = [&](const report::Timing& t) {
      return t.dataset == dataset && t.stage == stage;
    };
    auto found = std::ranges::find_if(results.timings, same);
    if (found == results.timings.end()) {
      found = results.timings.insert(found, {dataset, stage, 0, 0, 0});
    }
    found->seconds += timing.at("seconds").get<double>();
    found->cpu_seconds += timing.at("cpu_seconds").get<double>();
    found->images += timing.at("images").get<std::int64_t>();
  }
}

}  // namespace alcedo::reproduce
