#include "alcedo/info/build_info.h"

#include <gif_lib.h>
#include <png.h>
#include <sched.h>
#include <sys/utsname.h>
#include <webp/decode.h>
#include <xxhash.h>
#include <zlib.h>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>
#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

#include "alcedo/base/parallel.h"

// After cstdio, which it needs and does not include.
#include <jpeglib.h>
#ifdef ALCEDO_THREADS_TBB
#include <tbb/version.h>
#endif

#include "alcedo/linalg/blas.h"

namespace alcedo::info {
namespace {

std::string Dotted(int major, int minor, int patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

// One number of two digits a part: 51213 for 5.12.13.
std::string FromDecimal(int number) {
  return Dotted(number / 10000, number / 100 % 100, number % 100);
}

// Its configuration begins with its name.
std::string OpenBlas() {
  const std::string config = blas::Config(), name = "OpenBLAS ";
  return config.starts_with(name) ? config.substr(name.size()) : config;
}

std::string Webp() {
  const int version = WebPGetDecoderVersion();
  return Dotted(version >> 16, version >> 8 & 0xff, version & 0xff);
}

std::string Jpeg() {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
  constexpr int kTurbo = LIBJPEG_TURBO_VERSION_NUMBER;
  return fmt::format("turbo {}, API {}",
                     Dotted(kTurbo / 1000000, kTurbo / 1000 % 1000, kTurbo % 1000),
                     JPEG_LIB_VERSION);
#else
  return fmt::format("API {}", JPEG_LIB_VERSION);
#endif
}

#ifdef ALCEDO_THREADS_TBB
std::string Threads() { return TBB_runtime_version(); }
#endif

}  // namespace

std::vector<Component> Libraries() {
  return {
      {"OpenBLAS", OpenBlas()},
      {"Eigen", ALCEDO_EIGEN_VERSION},
      {"Highway", ALCEDO_HWY_VERSION},
#ifdef ALCEDO_THREADS_TBB
      {"TBB", Threads()},
#endif
      {"libjpeg", Jpeg()},
      {"libpng", png_get_libpng_ver(nullptr)},
      {"libwebp", Webp()},
      {"giflib", Dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)},
      {"libexif", ALCEDO_LIBEXIF_VERSION},
      {"zlib", zlibVersion()},
      {"pugixml", Dotted(PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100, PUGIXML_VERSION % 10)},
      {"xxHash", FromDecimal(static_cast<int>(XXH_versionNumber()))},
      {"fmt", FromDecimal(FMT_VERSION)},
      {"nlohmann/json", Dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                               NLOHMANN_JSON_VERSION_PATCH)},
      {"toml++", ALCEDO_TOML_VERSION}};
}

std::string CompilerName() {
#ifdef __clang__
  return fmt::format("Clang {}", Dotted(__clang_major__, __clang_minor__, __clang_patchlevel__));
#else
  return fmt::format("GCC {}", Dotted(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__));
#endif
}

std::string BuildType() { return ALCEDO_BUILD_TYPE; }

std::string ThreadsBackEnd() { return ALCEDO_THREADS_NAME; }

std::string Sanitizers() {
  const std::string sanitizers = ALCEDO_SANITIZERS;
  return sanitizers.empty() ? "none" : sanitizers;
}

}  // namespace alcedo::info

namespace alcedo::info {
namespace {
namespace fs = std::filesystem;

const fs::path kGroups = "/sys/fs/cgroup";

// Flags of x86 and of ARM that an instruction set of the kernels is chosen by.
constexpr std::array<std::string_view, 18> kFeatures = {
    "ssse3",    "sse4_1",   "sse4_2",      "avx",      "avx2",        "fma",
    "f16c",     "bmi2",     "avx512f",     "avx512bw", "avx512dq",    "avx512vl",
    "avx512cd", "avx_vnni", "avx512_vbmi", "asimd",    "avx512_bf16", "sve"};

// What follows `name` and `separator` in a file of such lines; "" if there is none.
std::string ValueIn(const char* file, std::string_view name, char separator) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    // Up to the separator nothing but blanks: "cpu" is no "cpu MHz".
    if (line.find_first_not_of(" \t", name.size()) != at) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) return "";
    return line.substr(begin, line.find_last_not_of(" \t\"") - begin + 1);
  }
  return "";
}

std::string System() {
  struct utsname name{};
  uname(&name);
  const std::string distribution = ValueIn("/etc/os-release", "PRETTY_NAME", '=');
  return fmt::format("{}{}{} {} {}", distribution, distribution.empty() ? "" : ", ", name.sysname,
                     name.release, name.machine);
}

std::vector<std::string> Features() {
  std::string flags = ValueIn("/proc/cpuinfo", "flags", ':');
  if (flags.empty()) flags = ValueIn("/proc/cpuinfo", "Features", ':');
  std::vector<std::string> features;
  std::istringstream words(flags);
  for (std::string word; words >> word;) {
    if (std::ranges::count(kFeatures, word) > 0) features.push_back(word);
  }
  return features;
}

// Of "16299696 kB".
std::int64_t MemoryIn(std::string_view name) {
  return 1024 * std::atoll(ValueIn("/proc/meminfo", name, ':').c_str());
}

int AllowedThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails on machines of more than 1,024 cores; then all of them are taken as allowed.
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : HardwareThreads();
}

std::string FirstLine(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Where the limits of this process lie: "0::/session" of version 2, "4:memory:/session" of 1.
fs::path GroupFolder(std::string_view controller) {
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    if (controllers.find(fmt::format(",{},", controller)) == std::string::npos) continue;
    return (kGroups / controller / fs::path(line.substr(second + 1)).relative_path())
        .lexically_normal();
  }
  return "";
}

// The tightest limit from the group of the process up to the root.
template <class Value, class Read>
std::optional<Value> Tightest(fs::path folder, const Read& read) {
  std::optional<Value> tightest;
  for (; folder.native().size() >= kGroups.native().size(); folder = folder.parent_path()) {
    const std::optional<Value> limit = read(folder);
    if (limit) tightest = tightest ? std::min(*tightest, *limit) : *limit;
  }
  return tightest;
}

std::optional<double> CgroupThreads() {
  const auto limit = Tightest<double>(GroupFolder(""), [](const fs::path& folder) {
    return ParseCpuMax(FirstLine(folder / "cpu.max"));
  });
  if (limit) return limit;
  return Tightest<double>(GroupFolder("cpu"), [](const fs::path& folder) {
    return ParseCpuMax(fmt::format("{} {}", FirstLine(folder / "cpu.cfs_quota_us"),
                                   FirstLine(folder / "cpu.cfs_period_us")));
  });
}

std::optional<std::int64_t> CgroupMemory() {
  const auto limit = Tightest<std::int64_t>(GroupFolder(""), [](const fs::path& folder) {
    return ParseMemoryMax(FirstLine(folder / "memory.max"));
  });
  if (limit) return limit;
  return Tightest<std::int64_t>(GroupFolder("memory"), [](const fs::path& folder) {
    return ParseMemoryMax(FirstLine(folder / "memory.limit_in_bytes"));
  });
}

}  // namespace

std::optional<double> ParseCpuMax(const std::string& text) {
  std::istringstream words(text);
  double quota = 0, period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<std::int64_t> ParseMemoryMax(const std::string& text) {
  std::istringstream words(text);
  std::int64_t bytes = 0;
  // Version 1 says "none" by nearly the largest number there is.
  constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 2;
  if (!(words >> bytes) || bytes <= 0 || bytes >= kNoLimit) return std::nullopt;
  return bytes;
}

Machine DescribeMachine(const std::string& temp_folder, const std::string& locale) {
  Machine machine;
  machine.system = System();
  machine.processor = ValueIn("/proc/cpuinfo", "model name", ':');
  machine.features = Features();
  machine.hardware_threads = HardwareThreads();
  machine.allowed_threads = AllowedThreads();
  machine.cgroup_threads = CgroupThreads();
  machine.memory = MemoryIn("MemTotal");
  machine.available_memory = MemoryIn("MemAvailable");
  machine.cgroup_memory = CgroupMemory();
  machine.locale = locale;
  machine.temp_folder = temp_folder;
  std::error_code error;
  const fs::space_info space = fs::space(temp_folder, error);
  if (!error) machine.temp_space = static_cast<std::int64_t>(space.available);
  return machine;
}

}  // namespace alcedo::info
