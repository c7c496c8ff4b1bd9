#include "alcedo/cli/pool_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/bags/pool_bags.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/io/array_reader.h"

namespace alcedo::cli {
namespace {

constexpr const char* kPoolFooter =
    R"(Flags of one pooling begin with its name (--lp-p, --democratic-gamma); those without
belong to gmp. A flag that the chosen pooling does not use is an error.

Shapes: one bag gives (D,), and with L lambdas (L, D). Several bags give (n, D) or (n, L, D); a
folder, a 3-D array and --offsets count as several even if there is only one. D is the number of
columns, or --num-blocks times the size of a block. All bags of one file must have one D: the most
common one wins, and the others are bad bags. In a folder they may differ, with a warning.

Names: a bag is called after its file, without the extension; bags of one .npz or .safetensors
also after their array (file.array), bags of one array after their number (file.0, file.1, ...).
Equal names are an error for an output folder; in one file the bags then keep their whole path.
Several bags in OUT.npy have their names in OUT.npy.names.txt, one a line; a .safetensors holds them
in its metadata, with the options, the version and the seed, and the values as "pooled". An output
folder keeps the options in alcedo.json, with what was given to --array, --offsets, --blocks and
--input-weights, and refuses bags pooled with others.

Weights are (N,), and with L lambdas (L, N); those of several bags follow each other.

Examples:
  # One image: the patches x dimensions array of its encodings, the paper's lambda.
  alcedo pool patches.npy --lambda 100 -o image.npy
  # A path of lambdas relative to the mean squared norm of the patches, and each patch's weight.
  alcedo pool patches.npy --lambda 0.01,0.1,1 --lambda-relative --weights alpha.npy -o path.npy
  # A folder of images, one vector each, power- and L2-normalised; resume after an interruption.
  alcedo pool encodings/ -o pooled/ --power 0.5 --l2 --resume
  # Fisher vectors: patches x 2d values, the Gaussian of every patch in another array.
  alcedo pool values.npy --blocks gaussians.npy --num-blocks 256 --report -o fisher.npy
  # Ragged bags in one array, through a pipe.
  cat tokens.npy | alcedo pool - --offsets offsets.npy --pooling democratic -o - > pooled.npy

Exit codes:
  0    all bags were pooled
  1    an error, in one sentence on standard error; no output file, only whole files in a folder
  2    a mistake in the command line
  3    some bags were bad: they are listed on standard error, all good ones were written
  130  interrupted; bags already in an output folder stay, --resume skips them
)";

std::string NameOf(const PoolingOptions& pooling) { return std::string(PoolingName(pooling)); }

// Every pooling with its default options.
std::vector<PoolingOptions> AllPoolings() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<PoolingOptions>{PoolingOptions(std::in_place_index<I>)...};
  }(std::make_index_sequence<std::variant_size_v<PoolingOptions>>());
}

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

BagForm BagFormOf(const std::string& output) {
  RequireUsage(!output.empty(), "no output given: add -o OUT.npy (see 'alcedo pool --help')");
  if (output == "-") return BagForm::kBytes;
  if (IsFolderPath(output)) return BagForm::kFolder;
  if (output.ends_with(".npy")) return BagForm::kNpy;
  if (output.ends_with(".safetensors")) return BagForm::kSafetensors;
  throw UsageError(fmt::format(
      "output '{}' must end in .npy or .safetensors, or in / for a folder, or be -", output));
}

std::string Lambdas(const SolveReport& report) {
  if (report.lambda == 0 && report.lambda_relative == 0 && report.solver == "sinkhorn") return "";
  return fmt::format("lambda {:.6g} (relative {:.6g}), ", report.lambda, report.lambda_relative);
}

std::string Outcome(const SolveReport& report) {
  if (report.converged) return "converged";
  return fmt::format("did not converge: {}{}", report.reason, Advice(report.hint));
}

std::string Line(const std::string& name, const SolveReport& report) {
  return fmt::format("{}: {}{}, {} iterations, residual {:.2e}, error bound {:.2e}, {}", name,
                     Lambdas(report), report.solver, report.iterations, report.residual,
                     report.error_bound, Outcome(report));
}

// Calls use(name, report) for the solves of the vector, then for those of the weights.
template <class Use>
void ForEachSolve(const BagReport& bag, Use use) {
  for (const SolveReport& report : bag.solves) use(bag.name, report);
  for (const SolveReport& report : bag.weights) use(bag.name + " (weights)", report);
}

void PrintReports(const PoolRequest& request, const std::vector<BagReport>& bags) {
  for (const BagReport& bag : bags) {
    ForEachSolve(bag, [&](const std::string& name, const SolveReport& report) {
      if (request.report) {
        PrintLine(Line(name, report));
      } else if (!request.quiet && !report.converged) {
        PrintLine("alcedo: warning: " + Line(name, report));
      }
    });
  }
}

// Bags of one bad array share their reason; it is printed once.
void PrintBadBags(const std::vector<Failure>& failures, std::size_t total) {
  PrintLine(fmt::format("alcedo: skipped {} of {} bags:", failures.size(), total));
  for (std::size_t i = 0, next = 0; i < failures.size(); i = next) {
    while (next < failures.size() && failures[next].reason == failures[i].reason) ++next;
    const std::string count = next - i > 1 ? fmt::format(" ({} bags)", next - i) : "";
    PrintLine(fmt::format("  {}{}", failures[i].reason, count));
  }
}

std::string Farewell(bool folder, const Progress& progress) {
  if (!folder) return "alcedo: interrupted, nothing was written";
  return fmt::format(
      "alcedo: interrupted after {} of {} bags; run the same command with --resume to continue",
      progress.done, progress.total);
}

// What was done, in one line.
std::string SummaryText(const BagJob& job, const BagResults& results) {
  const std::size_t lambdas = job.pooling.lambdas.size(), vectors = results.bags.size() * lambdas;
  Index patches = 0;
  LambdaRange lambda;
  for (const BagReport& report : results.bags) {
    patches += report.num_rows;
    if (std::holds_alternative<GmpOptions>(job.pooling.pooling)) lambda.Add(report.solves);
  }
  const std::string wrote = job.destination.form == BagForm::kBytes
                                ? ""
                                : fmt::format("wrote {}: ", job.destination.output);
  const std::string dimensions =
      results.dimensions.size() == 1
          ? fmt::format(" of {} dimensions", Thousands(*results.dimensions.begin()))
          : "";
  const std::string range = lambda.Text();
  return fmt::format(
      "{}{} {}{}{} from {} {}, pooling {}{}{}", wrote,
      Thousands(static_cast<std::int64_t>(vectors)), vectors == 1 ? "vector" : "vectors",
      lambdas > 1 ? fmt::format(" ({} lambdas)", lambdas) : "", dimensions, Thousands(patches),
      patches == 1 ? "patch" : "patches", job.pooling.name(), range.empty() ? "" : ", ", range);
}

// The paths of the library by the arguments that lead to them.
std::vector<NamedPath> ByArgument(const std::vector<OptionPath>& paths) {
  std::vector<NamedPath> named;
  for (const auto& [option, path] : paths) {
    named.push_back({option == "inputs"                 ? "INPUT"
                     : option == "the folder of inputs" ? "the INPUT folder"
                                                        : FlagOf(option),
                     path});
  }
  return named;
}

}  // namespace

PoolArguments::PoolArguments()
    : app_("alcedo pool", "Pools bags of local encodings: one vector for each bag of patches.",
           kPoolFooter),
      pooling_name_(GmpOptions::kLabel.name),
      poolings_(AllPoolings()) {
  AddInputOptions();
  AddPoolingOptions();
  AddOutputOptions();
}

void PoolArguments::AddInputOptions() {
  BagInputs& inputs = request_.job.inputs;
  app_.Add("INPUT", "PATH",
           "a .npy (2-D: one bag, patches x dimensions; 3-D: a batch of bags), an .npz or "
           ".safetensors (every 2-D floating-point array is a bag, every 3-D one a batch; of "
           "\"descriptors\" with \"positions\" and \"image_size\", as encode takes them, the "
           "descriptors alone), a folder of these (subfolders are not entered), or - for standard "
           "input",
           inputs.paths);
  app_.Group("Input");
  app_.Add("--array", "NAME", "the one array of an .npz or .safetensors to pool", inputs.array);
  app_.Add("--offsets", "FILE",
           "integer array 0 = o_0 <= ... <= o_n = N: the input is one array of N rows, bag i "
           "its rows o_i to o_i+1",
           inputs.offsets);
  app_.Add("--blocks", "PATH",
           "integer array, N or N x k: the block of each row, or of each of the k entries that the "
           "row holds side by side (-1: no entry); N of a batch is the rows of all its bags, or "
           "bags x rows; for several files a folder of equally named ones",
           inputs.blocks);
  app_.Add("--num-blocks", "INTEGER", "how many blocks there are, with --blocks",
           [&inputs](const std::string& text) {
             const int count = ParseInt("--num-blocks", text);
             RequireUsage(count >= 1, "--num-blocks must be >= 1, got " + text);
             inputs.num_blocks = count;
           });
  app_.Add("--input-weights", "PATH",
           "floating-point array of N weights for --pooling weighted; for several files a folder "
           "of equally named ones",
           inputs.input_weights);
  OnlyFor("--input-weights", {NameOf(WeightedOptions{})});
}

void PoolArguments::AddPoolingOptions() {
  BagPooling& pooling = request_.job.pooling;
  app_.Group("Pooling");
  std::vector<std::string> names;
  for (const PoolingOptions& options : poolings_) names.push_back(NameOf(options));
  const std::string choices = fmt::format("{}", fmt::join(names, "|"));
  app_.Add("--pooling", choices, "how to pool (default " + pooling_name_ + ")",
           [this, choices](const std::string& text) {
             pooling_name_ = CheckChoice("--pooling", text, choices);
           });
  for (PoolingOptions& options : poolings_) {
    const std::string name = NameOf(options);
    app_.Group("Only for --pooling " + name);
    if (std::holds_alternative<GmpOptions>(options)) {
      app_.Add("--lambda", "L[,L...]",
               fmt::format("regularisation, >= 0; several give one vector each, at nearly "
                           "the price of the smallest (default {}, absolute unless "
                           "--lambda-relative)",
                           pooling.lambdas[0]),
               [&pooling](const std::string& text) {
                 pooling.lambdas = ParseDoubles("--lambda", text);
               });
      app_.AddFlag("--nonnegative", "weights >= 0: similarities of at least 1 instead of exactly 1",
                   pooling.nonnegative);
      for (const char* flag : {"--lambda", "--nonnegative"}) OnlyFor(flag, {name});
    }
    std::visit(
        [&]<class Options>(Options& chosen) {
          if constexpr (HasFields<Options>) {
            VisitFields(chosen, [&](std::string_view field, auto& value, std::string_view help) {
              const FlagParts parts = FlagPartsOf(SectionName<Options>(), field);
              const FieldFlags flags{app_, parts.prefix,
                                     [&](const std::string& flag) { OnlyFor(flag, {name}); }};
              flags(parts.field, value, help);
            });
          }
        },
        options);
  }
}

void PoolArguments::AddOutputOptions() {
  BagJob& job = request_.job;
  app_.Group("Normalisation (in this order)");
  app_.Add("--power", "NUMBER", "sign(x) |x|^P, with P in [0, 1]",
           [&job](const std::string& text) { job.pooling.power = ParseDouble("--power", text); });
  app_.AddFlag("--block-l2", "L2 of every block of the encodings", job.pooling.block_l2);
  app_.AddFlag("--l2", "L2 of the whole vector", job.pooling.l2);

  app_.Group("Output");
  app_.Add("-o,--output", "PATH",
           "a .npy or .safetensors file, a folder (a new one must end with /): one .npy per bag, "
           "or - for standard output (.npy); required",
           job.destination.output);
  AddChoice(app_, "--dtype",
            fmt::format("type of the pooled values (default {})", Name(job.destination.type)),
            job.destination.type);
  app_.Add("--weights", "PATH",
           "also write the weight of every patch (gmp, democratic), as an f8 .npy; a folder if the "
           "output is one",
           job.destination.weights);
  app_.AddFlag("--resume", "skip the bags that the output folder already has whole",
               job.destination.resume);
  app_.AddFlag("--report",
               "what the solver did for each bag (gmp, democratic), on standard error; "
               "--report FILE.json writes it there",
               report_);
  for (const char* flag : {"--weights", "--report"}) {
    OnlyFor(flag,
            {std::string(GmpOptions::kLabel.name), std::string(DemocraticOptions::kLabel.name)});
  }
  AddThreads(app_, request_.threads);
  app_.Add("--seed", "INTEGER", "stored with the output; no pooling is random (default 0)",
           [&job](const std::string& text) { job.seed = ParseUnsigned("--seed", text); });
  app_.AddFlag("-q,--quiet", "no progress, no summary and no warnings", request_.quiet);
}

void PoolArguments::OnlyFor(const std::string& option, std::vector<std::string> poolings) {
  only_for_.emplace_back(option, std::move(poolings));
}

std::optional<PoolRequest> PoolArguments::Parse(const std::vector<std::string>& args) {
  if (!app_.Parse(JoinReportFile(args))) return std::nullopt;
  BagJob& job = request_.job;
  CheckOnlyFor();
  RequireUsage(!job.inputs.paths.empty(), "no INPUT given (see 'alcedo pool --help')");
  job.destination.form = BagFormOf(job.destination.output);
  request_.report = report_ == "true";
  if (!request_.report) job.destination.report = report_;
  CheckTogether();
  job.pooling.pooling = *std::ranges::find(poolings_, pooling_name_, NameOf);
  // Poolings without a lambda give one vector, as for one lambda.
  if (!std::holds_alternative<GmpOptions>(job.pooling.pooling)) job.pooling.lambdas = {0};
  try {
    Check(job);
  } catch (const InvalidArgument& error) {
    throw UsageError(ErrorText(error));
  }
  return request_;
}

void PoolArguments::CheckOnlyFor() const {
  for (const auto& [option, names] : only_for_) {
    if (!app_.Given(option) || std::ranges::count(names, pooling_name_) > 0) continue;
    throw UsageError(fmt::format("{} goes with --pooling {}, not with --pooling {}", option,
                                 fmt::join(names, " or "), pooling_name_));
  }
}

void PoolArguments::CheckTogether() const {
  const BagJob& job = request_.job;
  const BagDestination& to = job.destination;
  for (const char* unused : {"--solver", "--accuracy", "--rank-tolerance"}) {
    RequireUsage(!job.pooling.nonnegative || !app_.Given(unused),
                 fmt::format("{} does not go with --nonnegative, which has one solver", unused));
  }
  RequireUsage(to.report.empty() || to.report.ends_with(".json"),
               fmt::format("--report file '{}' must end in .json", to.report));
  if (!to.weights.empty()) {
    const bool folder = to.form == BagForm::kFolder;
    RequireUsage(folder == IsFolderPath(to.weights) && (folder || to.weights.ends_with(".npy")),
                 folder ? "--weights must be a folder (end with /) if the output is one"
                        : "--weights must be a .npy file if the output is one file");
  }
  RequireUsage(to.form != BagForm::kBytes || isatty(STDOUT_FILENO) == 0,
               "standard output is a terminal: redirect it, or give -o a file");
}

int PoolCommand(const Words& args) {
  PoolArguments arguments;
  std::optional<PoolRequest> request = arguments.Parse(args);
  if (!request) return kOk;
  BagJob& job = request->job;
  if (std::ranges::count(job.inputs.paths, "-") > 0) {
    job.inputs.standard_input = ReadStdin(kMaxPipeBytes, [](std::string_view first) {
      // What is not an array file may have no end. Opening it says what is wrong.
      if (!LooksLikeArrays(first)) ArrayReader::FromBytes(std::string(first), "standard input");
    });
  }

  BagResults results;
  LongRun long_run(request->threads, request->quiet, false, [&](const Progress& progress) {
    return Farewell(job.destination.form == BagForm::kFolder, progress);
  });
  BagRun run{long_run.MakeRun(), ErrorText,
             [](const std::vector<OptionPath>& read, const std::vector<OptionPath>& written) {
               CheckPaths(ByArgument(read), ByArgument(written));
             }};
  try {
    results = PoolBags(job, run);
  } catch (const InvalidArgument& error) {
    if (error.option().empty()) throw;
    throw UsageError(ErrorText(error));
  }
  long_run.line().Clear();
  WriteStdout(results.bytes);
  if (!request->quiet) PrintWarnings(results.warnings);
  PrintReports(*request, results.bags);
  const auto good = static_cast<Index>(results.bags.size());
  if (!request->quiet && good > 0) PrintLine(SummaryText(job, results));
  if (good > 1) long_run.PrintDone(good, "bags", {});
  if (results.failures.empty()) return kOk;
  PrintBadBags(results.failures, static_cast<std::size_t>(results.planned));
  return kSomeSkipped;
}

}  // namespace alcedo::cli
