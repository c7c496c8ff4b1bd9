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

Stopwatch::Stopwatch(const std::string& dataset, const std::string& stage)
    : dataset_(dataset), stage_(stage), cpu_start_(CpuSeconds()) {}

void Stopwatch::Stop(std::int64_t images, std::vector<report::Timing>& timings) {
  auto found = std::ranges::find_if(timings, [&](const report::Timing& timing) {
    return timing.dataset == dataset_ && timing.stage == stage_;
  });
  if (found == timings.end()) found = timings.insert(found, {dataset_, stage_, 0, 0, 0});
  found->seconds += std::chrono::duration<double>(Clock::now() - start_).count();
  found->cpu_seconds += CpuSeconds() - cpu_start_;
  found->images += images;
}

}  // namespace alcedo::reproduce
