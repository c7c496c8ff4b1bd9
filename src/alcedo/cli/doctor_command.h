// `alcedo doctor`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alcedo::cli {

// Owns the CLI11 app and what its options write to.
class DoctorArguments {
 public:
  DoctorArguments();
  DoctorArguments(const DoctorArguments&) = delete;
  DoctorArguments& operator=(const DoctorArguments&) = delete;

  CLI::App& app() { return app_; }
  bool json() const { return json_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  bool json_ = false;
};

// Says what the program is made of and runs on, and checks itself. The exit code of the program.
int DoctorCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
