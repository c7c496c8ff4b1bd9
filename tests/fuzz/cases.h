// One case of the campaign: a mutant of a sample, read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "readers.h"

namespace alcedo::fuzz {

// The mutant that a seed and a number stand for.
std::string MutantOf(const Reader& reader, std::uint64_t seed, std::uint64_t number);

struct Outcome {
  bool read = false;        // false: refused by one of our errors
  std::ptrdiff_t peak = 0;  // bytes of memory that it took
  std::string broken;       // what the library promises and did not hold; empty: nothing
};
Outcome RunCase(const Reader& reader, const std::string& bytes);

}  // namespace alcedo::fuzz
