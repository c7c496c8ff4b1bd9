// What the program is made of: for `alcedo doctor`.
#pragma once

#include <string>
#include <vector>

namespace alcedo::info {

struct Component {
  std::string name;
  std::string version;  // of the library that is loaded, where it tells; otherwise of its headers
};

// The libraries, in the order of the paper's stages.
std::vector<Component> Libraries();

// "GCC 12.2.0", "Release", "tbb", "address,undefined" or "none".
std::string CompilerName();
std::string BuildType();
std::string ThreadsBackEnd();
std::string Sanitizers();

}  // namespace alcedo::info
