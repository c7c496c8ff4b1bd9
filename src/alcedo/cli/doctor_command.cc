#include "alcedo/cli/doctor_command.h"

#include <memory>

#include "alcedo/base/parallel.h"
#include "alcedo/cli/doctor_report.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(Versions, processor, memory and limits on one screen, to paste into a report of a bug. Then a check
of two seconds: a synthetic bag is pooled by every solver and compared with the formula, a picture
made in memory is encoded with the vocabulary that comes along, on one thread and on all, and the
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

// What went wrong inside a check is a finding like any other.
void RunChecks(DoctorReport& report, const std::function<std::vector<Check>()>& checks,
               const std::string& what) {
  try {
    for (Check& check : checks()) report.checks.push_back(std::move(check));
  } catch (const std::exception& error) {
    report.checks.push_back({what, error.what(), ""});
  }
}

}  // namespace

DoctorArguments::DoctorArguments()
    : app_("Says what the program is made of and what it runs on, and checks itself.",
           "alcedo doctor") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.add_flag("--json", json_, "as JSON");
}

bool DoctorArguments::Parse(const std::vector<std::string>& args) { return ParseApp(app_, args); }

int DoctorCommand(const std::vector<std::string>& args) {
  DoctorArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  DoctorReport report;
  report.libraries = Libraries();
  report.machine = DescribeMachine();
  report.instruction_set = kernels::InstructionSet();
  report.blas_core = blas::CoreName();
  // Two at least, or there would be nothing to compare.
  const int threads = std::max(2, HardwareThreads());
  RunChecks(
      report,
      [] {
        return CheckPooling([](const Encodings& encodings, const GmpOptions& options) {
          return PoolGmp(encodings, options).phi;
        });
      },
      "pooling");
  RunChecks(report, [&] { return CheckEncoding(threads); }, "encoding");
  // After the calls above, which set it.
  report.blas_threads = blas::Threads();
  report.checks.push_back(TempFolderCheck(report.machine));
  if (Problem(report).empty()) report.speed = MeasureSpeed(HardwareThreads(), kSecondsOfSpeed);

  WriteStdout(arguments.json() ? Dump(DoctorJson(report), 2) + "\n" : DoctorText(report));
  if (const std::string problem = Problem(report); !problem.empty()) throw Error(problem);
  return kOk;
}

}  // namespace alcedo::cli
