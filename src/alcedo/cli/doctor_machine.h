// The machine as the program sees it: for `alcedo doctor`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alcedo::cli {

struct Machine {
  std::string system;                 // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
  std::string processor;              // "" where the system does not tell
  std::vector<std::string> features;  // those that matter for arithmetic
  int hardware_threads = 1;
  int allowed_threads = 1;               // by the affinity of the process
  std::optional<double> cgroup_threads;  // by quota; nothing: no limit
  std::int64_t memory = 0, available_memory = 0;
  std::optional<std::int64_t> cgroup_memory;
  std::string temp_folder;
  std::optional<std::int64_t> temp_space;  // bytes; nothing: the folder cannot be used
  std::string locale;                      // "C.UTF-8", as the environment says
};

Machine DescribeMachine();

// The limits that "200000 100000" of cpu.max and "1073741824" of memory.max set; nothing for "max"
// and for what is no limit.
std::optional<double> ParseCpuMax(const std::string& text);
std::optional<std::int64_t> ParseMemoryMax(const std::string& text);

}  // namespace alcedo::cli
