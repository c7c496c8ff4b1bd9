// How much memory something takes.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace alcedo::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
constexpr bool kSanitized = true;
#elif defined(__has_feature)  // clang
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

// MiB of memory in use, and the most since ResetPeak, if the system tells.
inline std::optional<double> Memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return std::stod(line.substr(field.size() + 1)) / 1024;
  }
  return std::nullopt;
}
inline bool ResetPeak() {
#ifdef __GLIBC__
  malloc_trim(0);  // what was freed would hide what is taken
#endif
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return !kSanitized && file.good() && Memory("VmRSS") && Memory("VmHWM");
}

// The additional memory that `body` takes at its peak; 0 if it cannot be measured.
template <class Body>
double PeakOf(Body body) {
  if (!ResetPeak()) {
    body();
    return 0;
  }
  const double before = *Memory("VmRSS");
  body();
  return std::max(0.0, *Memory("VmHWM") - before);
}

}  // namespace alcedo::testing
