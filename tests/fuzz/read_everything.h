// What the fuzzer and the mutation test do to a file.
#pragma once

#include <string>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/array_reader.h"

namespace alcedo::fuzz {

template <typename Action>
bool Succeeds(const Action& action) {
  try {
    action();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Opens the file and reads every array in every way. True when each could be read in some way; any
// exception but our own leaves this function.
inline bool ReadEverything(std::string bytes) {
  bool all = true;
  const bool opened = Succeeds([&] {
    const ArrayReader reader = ArrayReader::FromBytes(std::move(bytes), "file");
    for (std::size_t i = 0; i < reader.arrays().size(); ++i) {
      const bool rows = Succeeds([&] { reader.ReadRows(i); });
      const bool doubles = Succeeds([&] { reader.ReadDoubles(i); });
      const bool integers = Succeeds([&] { reader.ReadIntegers(i); });
      all = all && (rows || doubles || integers);
    }
  });
  return opened && all;
}

}  // namespace alcedo::fuzz
