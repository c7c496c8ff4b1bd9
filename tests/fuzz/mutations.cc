// The mutation campaign: every reader, on as many mutants as wanted.
//   mutations [--types A,B] [--seed S] [--first I] [--count N] [--json FILE]
//   mutations --types A [--seed S] --case I [--save FILE]      replays a case
//   mutations --list
// Each reader works in a process of its own, so that a crash costs one case.
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "alcedo/image/peak_memory_testing.h"
#include "alcedo/io/io_testing.h"
#include "cases.h"

namespace alcedo::fuzz {
namespace {

// More than any case needs by far, also under sanitizers on a busy machine: seconds of processor
// time, and bytes of address space beyond those of a process that has done nothing yet.
constexpr int kSecondsPerCase = 60;
constexpr std::uint64_t kAddressSpace = std::uint64_t{1} << 30;
constexpr int kMostFailures = 10;  // of a type; the rest of its cases are left out

struct Arguments {
  std::vector<std::string> types;
  std::uint64_t seed = 1, first = 0, count = 200;
  std::string json, save;
};

// What a child has done so far, in memory that it shares with its parent.
struct Tally {
  std::uint64_t next, read, refused, failed;
  std::int64_t peak;
};

std::string ReplayLine(const std::string& program, const Reader& reader, const Arguments& arguments,
                       std::uint64_t number) {
  return "replay: " + program + " --types " + reader.name + " --seed " +
         std::to_string(arguments.seed) + " --case " + std::to_string(number);
}

void LimitProcess() {
  if (testing::kSanitized) return;  // a sanitizer reserves terabytes
  const std::optional<double> mib = testing::Memory("VmSize");
  if (!mib) return;
  const std::uint64_t bytes = static_cast<std::uint64_t>(*mib * (1 << 20)) + kAddressSpace;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

void LimitCase() {
  const itimerval timer{{0, 0}, {kSecondsPerCase, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void RunCases(const std::string& program, const Reader& reader, const Arguments& arguments,
              Tally& tally) {
  LimitProcess();
  Scratch();
  while (tally.next < arguments.first + arguments.count && tally.failed < kMostFailures) {
    const std::uint64_t number = tally.next;
    const std::string mutant = MutantOf(reader, arguments.seed, number);
    LimitCase();
    const Outcome outcome = RunCase(reader, mutant);
    ++tally.next;
    tally.peak = std::max<std::int64_t>(tally.peak, outcome.peak);
    if (outcome.broken.empty()) {
      ++(outcome.read ? tally.read : tally.refused);
      continue;
    }
    ++tally.failed;
    std::cerr << reader.name << ": " << outcome.broken << "; "
              << ReplayLine(program, reader, arguments, number) << std::endl;
  }
}

std::string EndOf(int status) {
  if (WIFEXITED(status)) return "it ends the process with " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGPROF) return "it does not end";
  return std::string("it crashes: ") + strsignal(WTERMSIG(status));
}

// Starts a process, and another one behind the case that ended it, and so on.
Tally RunReader(const std::string& program, const Reader& reader, const Arguments& arguments) {
  void* memory =
      mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
  Tally& tally = *new (memory) Tally{arguments.first, 0, 0, 0, 0};
  for (;;) {
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
      RunCases(program, reader, arguments, tally);
      std::exit(0);  // removes the scratch folder; a sanitizer looks for leaks here
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    ++tally.failed;
    std::cerr << reader.name << ": " << EndOf(status) << "; "
              << ReplayLine(program, reader, arguments, tally.next) << std::endl;
    if (++tally.next >= arguments.first + arguments.count || tally.failed >= kMostFailures) break;
  }
  const Tally result = tally;
  munmap(memory, sizeof(Tally));
  return result;
}

int RunAll(const std::string& program, const Arguments& arguments) {
  std::ostringstream json;
  std::uint64_t failed = 0;
  std::cout << std::left << std::setw(30) << "file" << std::right << std::setw(10) << "mutants"
            << std::setw(10) << "read" << std::setw(10) << "refused" << std::setw(10) << "failed"
            << std::setw(12) << "peak KiB" << "\n";
  for (const std::string& type : arguments.types) {
    const Reader& reader = *FindReader(type);
    const Tally tally = RunReader(program, reader, arguments);
    failed += tally.failed;
    std::cout << std::left << std::setw(30) << type << std::right << std::setw(10)
              << tally.next - arguments.first << std::setw(10) << tally.read << std::setw(10)
              << tally.refused << std::setw(10) << tally.failed << std::setw(12)
              << tally.peak / 1024 << "\n";
    json << (json.str().empty() ? "" : ",\n") << "  \"" << type
         << "\": {\"mutants\": " << tally.next - arguments.first << ", \"read\": " << tally.read
         << ", \"refused\": " << tally.refused << ", \"failed\": " << tally.failed << "}";
  }
  if (!arguments.json.empty()) std::ofstream(arguments.json) << "{\n" << json.str() << "\n}\n";
  return failed == 0 ? 0 : 1;
}

int Usage() {
  std::cerr << "usage: mutations [--list] [--types A,B] [--seed S] [--first I] [--count N]\n"
               "                 [--case I] [--save FILE] [--json FILE]\n";
  return 2;
}

int Main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--list") {
      for (const Reader& reader : Readers()) std::cout << reader.name << "\n";
      return 0;
    }
    if (i + 1 == argc) return Usage();
    const std::string value = argv[++i];
    if (option == "--types") {
      std::istringstream names(value);
      for (std::string name; std::getline(names, name, ',');) arguments.types.push_back(name);
    } else if (option == "--seed") {
      arguments.seed = std::stoull(value);
    } else if (option == "--first") {
      arguments.first = std::stoull(value);
    } else if (option == "--count") {
      arguments.count = std::stoull(value);
    } else if (option == "--case") {
      arguments.first = std::stoull(value);
      arguments.count = 1;
    } else if (option == "--save") {
      arguments.save = value;
    } else if (option == "--json") {
      arguments.json = std::filesystem::absolute(value);
    } else {
      return Usage();
    }
  }
  for (const std::string& type : arguments.types) {
    if (FindReader(type) != nullptr) continue;
    std::cerr << "mutations: there is no type " << type << "; see --list\n";
    return 2;
  }
  if (arguments.types.empty()) {
    for (const Reader& reader : Readers()) arguments.types.push_back(reader.name);
  }
  if (!arguments.save.empty()) {
    io_testing::WriteFile(arguments.save, MutantOf(*FindReader(arguments.types.front()),
                                                   arguments.seed, arguments.first));
  }
  // Files in memory, and gone when this process ends, whatever becomes of its children.
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 0);
  const io_testing::TemporaryFolder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  return RunAll(std::filesystem::absolute(argv[0]).string(), arguments);
}

}  // namespace
}  // namespace alcedo::fuzz

int main(int argc, char** argv) { return alcedo::fuzz::Main(argc, argv); }
