// The second half of PoolArguments: from parsed flags to a job that makes sense.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/pool_arguments.h"
#include "alcedo/cli/poolings.h"

namespace alcedo::cli {
namespace {

// "--report FILE.json" as "--report=FILE.json". As an option with an optional value, CLI11 would
// also take an INPUT that follows a bare --report, and the report would overwrite it.
std::vector<std::string> JoinReportFile(const std::vector<std::string>& args) {
  std::vector<std::string> joined;
  for (const std::string& arg : args) {
    if (!joined.empty() && joined.back() == "--report" && arg.ends_with(".json")) {
      joined.back() += "=" + arg;
    } else {
      joined.push_back(arg);
    }
  }
  return joined;
}

bool IsFolderPath(const std::string& path) {
  std::error_code ignored;
  return path.ends_with("/") || std::filesystem::is_directory(path, ignored);
}

OutputForm FormOf(const std::string& output) {
  RequireUsage(!output.empty(), "no output given: add -o OUT.npy (see 'alcedo pool --help')");
  if (output == "-") return OutputForm::kStdout;
  if (IsFolderPath(output)) return OutputForm::kFolder;
  if (output.ends_with(".npy")) return OutputForm::kNpy;
  if (output.ends_with(".safetensors")) return OutputForm::kSafetensors;
  throw UsageError(fmt::format(
      "output '{}' must end in .npy or .safetensors, or in / for a folder, or be -", output));
}

}  // namespace

std::optional<PoolJob> PoolArguments::Parse(std::vector<std::string> args) {
  if (!ParseApp(app_, JoinReportFile(args))) return std::nullopt;
  CheckOnlyFor();
  CheckInput();
  job_.form = FormOf(job_.output);
  job_.report = report_ == "true";
  if (!job_.report) job_.report_file = report_;
  CheckOutput();

  const auto chosen = std::ranges::find(poolings_, pooling_name_, NameOf);
  job_.pooling = *chosen;
  // Poolings without a lambda give one vector, as for one lambda.
  if (!std::holds_alternative<GmpOptions>(job_.pooling)) job_.lambdas = {0};
  return job_;
}

void PoolArguments::CheckOnlyFor() const {
  for (const auto& [option, names] : only_for_) {
    if (option->count() == 0 || std::ranges::count(names, pooling_name_) > 0) continue;
    throw UsageError(fmt::format("{} goes with --pooling {}, not with --pooling {}",
                                 option->get_name(), fmt::join(names, " or "), pooling_name_));
  }
}

void PoolArguments::CheckInput() const {
  RequireUsage(!job_.inputs.empty(), "no INPUT given (see 'alcedo pool --help')");
  RequireUsage(std::ranges::count(job_.inputs, "-") <= 1, "standard input can be read only once");
  RequireUsage(job_.has_blocks() == (job_.num_blocks > 0),
               job_.has_blocks() ? "--blocks needs --num-blocks" : "--num-blocks needs --blocks");
  RequireUsage(job_.offsets.empty() || job_.inputs.size() == 1, "--offsets goes with one INPUT");
  for (const char* unused : {"--solver", "--accuracy", "--rank-tolerance"}) {
    RequireUsage(!job_.nonnegative || app_.count(unused) == 0,
                 fmt::format("{} does not go with --nonnegative, which has one solver", unused));
  }
  const bool weighted = pooling_name_ == PoolingName(WeightedOptions{});
  RequireUsage(!weighted || !job_.input_weights.empty(),
               "--pooling weighted needs --input-weights");
}

void PoolArguments::CheckOutput() const {
  const bool folder = job_.form == OutputForm::kFolder;
  RequireUsage(folder || !job_.resume, "--resume goes with an output folder");
  RequireUsage(job_.report_file.empty() || job_.report_file.ends_with(".json"),
               fmt::format("--report file '{}' must end in .json", job_.report_file));
  if (!job_.weights.empty()) {
    RequireUsage(folder == IsFolderPath(job_.weights) && (folder || job_.weights.ends_with(".npy")),
                 folder ? "--weights must be a folder (end with /) where the output is one"
                        : "--weights must be a .npy file where the output is one file");
  }
  RequireUsage(job_.form != OutputForm::kStdout || isatty(STDOUT_FILENO) == 0,
               "standard output is a terminal: redirect it, or give -o a file");
}

}  // namespace alcedo::cli
