// libFuzzer over one reader of the table; scripts/fuzz runs it on all of them.
//   reader_fuzzer --names                       lists them
//   reader_fuzzer --reader=npz --seeds=FOLDER   writes the first corpus and ends
//   reader_fuzzer --reader=npz -malloc_limit_mb=64 CORPUS
#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>

#include "alcedo/io/io_testing.h"
#include "readers.h"

namespace {

const alcedo::fuzz::Reader* reader = nullptr;

// libFuzzer leaves arguments that begin with two dashes to us.
std::string ValueOf(int argc, char** argv, const std::string& option) {
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]).starts_with(option)) return argv[i] + option.size();
  }
  return "";
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1 && std::string((*argv)[1]) == "--names") {
    for (const auto& one : alcedo::fuzz::Readers()) std::cout << one.name << "\n";
    std::exit(0);
  }
  const std::string name = ValueOf(*argc, *argv, "--reader=");
  reader = alcedo::fuzz::FindReader(name);
  if (reader == nullptr) {
    std::cerr << "reader_fuzzer: --reader=" << name << " is none of:";
    for (const auto& one : alcedo::fuzz::Readers()) std::cerr << " " << one.name;
    std::cerr << "\n";
    std::exit(2);
  }
  const std::string seeds = ValueOf(*argc, *argv, "--seeds=");
  if (seeds.empty()) return 0;
  std::filesystem::create_directories(seeds);
  int number = 0;
  for (const std::string& sample : reader->samples()) {
    alcedo::io_testing::WriteFile(seeds + "/seed-" + std::to_string(number++), sample);
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reader->read(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
