// What the program is made of, and the machine it runs on: for `alcedo doctor`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alcedo::info {

struct Component {
  std::string name;
  std::string version;  // of the library that is loaded, if it tells it; otherwise of its headers
};

// The libraries, in the order of the paper's stages.
std::vector<Component> Libraries();

// "GCC 12.2.0", "Release", "tbb", "address,undefined" or "none".
std::string CompilerName();
std::string BuildType();
std::string ThreadsBackEnd();
std::string Sanitizers();

// The machine as a process sees it.
struct Machine {
  std::string system;                 // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
  std::string processor;              // "" if the system does not tell
  std::vector<std::string> features;  // those that matter for arithmetic
  int hardware_threads = 1;
  int allowed_threads = 1;               // by the affinity of the process
  std::optional<double> cgroup_threads;  // by quota; nothing: no limit
  std::int64_t memory = 0, available_memory = 0;
  std::optional<std::int64_t> cgroup_memory;
  std::string temp_folder;
  std::optional<std::int64_t> temp_space;  // bytes; nothing: the folder cannot be used
  std::string locale;                      // "C.UTF-8"
};

// `temp_folder` is where temporary files go, and `locale` that of the process: both are the
// environment's to say.
Machine DescribeMachine(const std::string& temp_folder, const std::string& locale);

// The limits that "200000 100000" of cpu.max and "1073741824" of memory.max set; nothing for "max"
// and for what is not a limit.
std::optional<double> ParseCpuMax(const std::string& text);
std::optional<std::int64_t> ParseMemoryMax(const std::string& text);

}  // namespace alcedo::info
