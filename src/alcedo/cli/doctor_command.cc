// `alcedo doctor`: what the program is made of and runs on, and whether it works.
#include <CLI/Version.hpp>
#include <cstdlib>
#include <filesystem>

#include "alcedo/cli/app.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/info/doctor_report.h"

namespace alcedo::cli {
namespace {

constexpr const char* kDoctorFooter =
    R"(Versions, processor, memory and limits on one screen, to paste into a report of a bug. Then a check
of two seconds: a synthetic bag is pooled by every solver and compared with the formula, an image
made in memory is encoded with the bundled vocabulary, on one thread and on all, and the
speed is measured. Nothing is written anywhere.

Examples:
  alcedo doctor
  # For another program.
  alcedo doctor --json | jq .speed

Exit codes:
  0    all is well
  1    something is wrong: one sentence on standard error says what
  2    a mistake in the command line
)";

constexpr double kSecondsOfSpeed = 1.2;

// As the C library looks for it.
std::string Locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "C";
}

// Also one that cannot be used.
std::string TempFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (!error) return folder.string();
  const char* given = std::getenv("TMPDIR");
  return given != nullptr ? given : "/tmp";
}

}  // namespace

int DoctorCommand(const Words& args) {
  App app("alcedo doctor",
          "Says what the program is made of and what it runs on, and checks itself.",
          kDoctorFooter);
  bool json = false;
  app.AddFlag("--json", "as JSON", json);
  if (!app.Parse(args)) return kOk;
  info::DoctorReport report = info::Examine(TempFolder(), Locale(), kSecondsOfSpeed);
  report.libraries.push_back({"CLI11", CLI11_VERSION});
  WriteStdout(json ? DoctorJson(report) : DoctorText(report));
  if (const std::string problem = Problem(report); !problem.empty()) throw Error(problem);
  return kOk;
}

}  // namespace alcedo::cli
