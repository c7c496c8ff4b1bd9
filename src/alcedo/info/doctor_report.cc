#include "alcedo/info/doctor_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "alcedo/base/parallel.h"
#include "alcedo/base/utf8.h"
#include "alcedo/base/version.h"
#include "alcedo/config/field_json.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo::info {
namespace {

constexpr std::size_t kLabel = 13;
constexpr std::size_t kWidth = 100;

// "label        words of a line that is broken where it is too long"
std::string Field(const std::string& label, std::string value) {
  std::string text = fmt::format("{:<{}}", label, kLabel);
  value = OneLine(value);
  while (value.size() > kWidth - kLabel) {
    std::size_t blank = value.rfind(' ', kWidth - kLabel);
    if (blank == std::string::npos || blank == 0) break;
    text += fmt::format("{}\n{:{}}", value.substr(0, blank), "", kLabel);
    value.erase(0, blank + 1);
  }
  return text + value + "\n";
}

std::string LibrariesText(const std::vector<Component>& libraries) {
  std::vector<std::string> words;
  words.reserve(libraries.size());
  for (const Component& library : libraries) {
    words.push_back(fmt::format("{} {}", library.name, library.version));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string ThreadsText(const Machine& machine) {
  std::string text = fmt::format("{} of the hardware, {} allowed", machine.hardware_threads,
                                 machine.allowed_threads);
  if (machine.cgroup_threads) text += fmt::format(", cgroup {:.3g}", *machine.cgroup_threads);
  return text;
}

std::string MemoryText(const Machine& machine) {
  std::string text =
      fmt::format("{}, {} available", FileSize(machine.memory), FileSize(machine.available_memory));
  if (machine.cgroup_memory) text += fmt::format(", cgroup {}", FileSize(*machine.cgroup_memory));
  return text;
}

template <class Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

// What goes wrong inside a check is a finding like any other.
void RunChecks(DoctorReport& report, const std::function<std::vector<Finding>()>& checks,
               const std::string& what) {
  try {
    for (Finding& finding : checks()) report.checks.push_back(std::move(finding));
  } catch (const std::exception& error) {
    report.checks.push_back({what, error.what(), ""});
  }
}

}  // namespace

DoctorReport Examine(const std::string& temp_folder, const std::string& locale, double seconds) {
  DoctorReport report;
  report.libraries = Libraries();
  report.machine = DescribeMachine(temp_folder, locale);
  report.instruction_set = kernels::InstructionSet();
  report.blas_core = blas::CoreName();
  // Two at least, or there would be nothing to compare.
  const int threads = std::max(2, HardwareThreads());
  const auto pool = [](const Encodings& encodings, const GmpOptions& options) {
    return PoolGmp(encodings, options).phi;
  };
  RunChecks(report, [&] { return CheckPooling(pool); }, "pooling");
  RunChecks(report, [&] { return CheckEncoding(threads); }, "encoding");
  // After the calls above, which set it.
  report.blas_threads = blas::Threads();
  report.checks.push_back(TempFolderCheck(report.machine));
  if (Problem(report).empty()) report.speed = MeasureSpeed(HardwareThreads(), seconds);
  return report;
}

Finding TempFolderCheck(const Machine& machine) {
  Finding check{"there is room for temporary files", "", ""};
  if (!machine.temp_space) {
    check.problem = fmt::format(
        "the folder of temporary files, '{}', cannot be used; set TMPDIR to one that can",
        machine.temp_folder);
  } else if (*machine.temp_space == 0) {
    check.problem =
        fmt::format("no space is left in '{}', the folder of temporary files", machine.temp_folder);
  } else {
    check.detail = fmt::format("{} in {}", FileSize(*machine.temp_space), machine.temp_folder);
  }
  return check;
}

std::string Problem(const DoctorReport& report) {
  std::vector<std::string> problems;
  for (const Finding& check : report.checks) {
    if (!check.problem.empty()) problems.push_back(check.problem);
  }
  if (problems.size() <= 1) return problems.empty() ? "" : problems[0];
  return fmt::format("{} (and {} more of the checks failed)", problems[0], problems.size() - 1);
}

std::string DoctorText(const DoctorReport& report) {
  const Machine& machine = report.machine;
  std::string text = Field("alcedo", Version());
  text += Field("build", fmt::format("{}, {}, threads {}, sanitizers {}", CompilerName(),
                                     BuildType(), ThreadsBackEnd(), Sanitizers()));
  text += Field("libraries", LibrariesText(report.libraries));
  text += Field("system", machine.system);
  text += Field("processor", machine.processor.empty() ? "unknown" : machine.processor);
  text += Field("features", fmt::format("{}", fmt::join(machine.features, " ")));
  text +=
      Field("arithmetic", fmt::format("kernels {}, BLAS {} on {} thread{}", report.instruction_set,
                                      report.blas_core, report.blas_threads,
                                      report.blas_threads == 1 ? "" : "s"));
  text += Field("threads", ThreadsText(machine));
  text += Field("memory", MemoryText(machine));
  text += Field("temporary",
                machine.temp_space
                    ? fmt::format("{}, {} free", machine.temp_folder, FileSize(*machine.temp_space))
                    : fmt::format("{}, not usable", machine.temp_folder));
  text += Field("locale", machine.locale);
  text += "\n";
  for (const Finding& check : report.checks) {
    const bool good = check.problem.empty();
    text += Field(good ? "ok" : "WRONG",
                  good ? fmt::format("{} ({})", check.name, check.detail) : check.problem);
  }
  if (report.speed) {
    text += Field(
        "speed",
        fmt::format("{:.1f} images/s, {} patches/s on {} thread{}", report.speed->images_per_second,
                    Thousands(static_cast<std::int64_t>(report.speed->patches_per_second)),
                    report.speed->threads, report.speed->threads == 1 ? "" : "s"));
  }
  return text;
}

std::string DoctorJson(const DoctorReport& report) {
  const Machine& machine = report.machine;
  Json json;
  json["alcedo"] = Version();
  json["build"] = {{"compiler", CompilerName()},
                   {"type", BuildType()},
                   {"threads", ThreadsBackEnd()},
                   {"sanitizers", Sanitizers()}};
  for (const Component& library : report.libraries) {
    json["libraries"][library.name] = library.version;
  }
  json["machine"] = {{"system", internal::EscapeText(machine.system)},
                     {"processor", internal::EscapeText(machine.processor)},
                     {"features", machine.features},
                     {"instruction_set", report.instruction_set},
                     {"blas_core", report.blas_core},
                     {"blas_threads", report.blas_threads},
                     {"hardware_threads", machine.hardware_threads},
                     {"allowed_threads", machine.allowed_threads},
                     {"cgroup_threads", OrNull(machine.cgroup_threads)},
                     {"memory_bytes", machine.memory},
                     {"available_memory_bytes", machine.available_memory},
                     {"cgroup_memory_bytes", OrNull(machine.cgroup_memory)},
                     {"temp_folder", internal::EscapeText(machine.temp_folder)},
                     {"temp_free_bytes", OrNull(machine.temp_space)},
                     {"locale", internal::EscapeText(machine.locale)}};
  json["checks"] = Json::array();
  for (const Finding& check : report.checks) {
    json["checks"].push_back({{"name", check.name},
                              {"ok", check.problem.empty()},
                              {"problem", internal::EscapeText(check.problem)},
                              {"detail", internal::EscapeText(check.detail)}});
  }
  if (report.speed) {
    json["speed"] = {{"threads", report.speed->threads},
                     {"images_per_second", report.speed->images_per_second},
                     {"patches_per_second", report.speed->patches_per_second}};
  }
  json["ok"] = Problem(report).empty();
  return Dump(json, 2) + "\n";
}

}  // namespace alcedo::info
