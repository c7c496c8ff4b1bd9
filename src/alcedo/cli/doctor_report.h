// What `alcedo doctor` found, in words and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/cli/doctor_check.h"
#include "alcedo/cli/doctor_libraries.h"
#include "alcedo/cli/doctor_machine.h"
#include "alcedo/config/field_json.h"

namespace alcedo::cli {

struct DoctorReport {
  std::vector<Component> libraries;
  Machine machine;
  std::string instruction_set;
  std::string blas_core;
  int blas_threads = 0;
  std::vector<Check> checks;
  std::optional<Speed> speed;  // nothing where something is wrong
};

// That there is a folder for temporary files, with room in it.
Check TempFolderCheck(const Machine& machine);

// The first problem, with the number of the others; empty: none.
std::string Problem(const DoctorReport& report);

// One screen.
std::string DoctorText(const DoctorReport& report);
Json DoctorJson(const DoctorReport& report);

}  // namespace alcedo::cli
