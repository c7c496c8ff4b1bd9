// What the library is made of and runs on, and whether it works.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/info/build_info.h"
#include "alcedo/info/self_test.h"

namespace alcedo::info {

struct DoctorReport {
  std::vector<Component> libraries;
  Machine machine;
  std::string instruction_set;
  std::string blas_core;
  int blas_threads = 0;
  std::vector<Finding> checks;
  std::optional<Speed> speed;  // nothing if something is wrong
};

// Runs all checks, and measures the speed for some seconds if they pass. What is said of temporary
// files and the locale is the caller's to know (build_info.h).
DoctorReport Examine(const std::string& temp_folder, const std::string& locale, double seconds);

// That there is a folder for temporary files, with room in it.
Finding TempFolderCheck(const Machine& machine);

// The first problem, with the number of the others; empty: none.
std::string Problem(const DoctorReport& report);

// One screen.
std::string DoctorText(const DoctorReport& report);
std::string DoctorJson(const DoctorReport& report);

}  // namespace alcedo::info
