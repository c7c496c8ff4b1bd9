// libFuzzer over all three formats: array_reader_fuzzer -malloc_limit_mb=64 CORPUS
#include <cstddef>
#include <cstdint>
#include <string>

#include "read_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  alcedo::fuzz::ReadEverything(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
