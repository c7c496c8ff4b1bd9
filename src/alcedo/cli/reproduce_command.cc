// `alcedo reproduce`: the experiments of the paper on the datasets of a folder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/config/field_json.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/info/build_info.h"
#include "alcedo/info/commit.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/report/report.h"
#include "alcedo/reproduce/merge.h"
#include "alcedo/reproduce/reproduce.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kReproduceFooter =
    R"(Vocabularies are learned and lambda, power, sigma and C are chosen without the test images (on the
validation split, or by cross-validation if a dataset has none); SVMs are trained on all
other images, and only then the test images are looked at. Every image is read once, and
everything that is asked of it comes out of that pass.

The output folder gets results.json, results.csv, report.html (one page that needs nothing else) and
report.md. A run that was interrupted, or killed, is resumed when the same command is given again.

Examples:
  # Everything, on every dataset that is found: hours.
  alcedo reproduce --data datasets/ -o results
  # The Fisher Vectors of Table 2 on Flowers, with two seeds.
  alcedo reproduce --data datasets/ --dataset flowers --table 2 --seeds 2 -o flowers
  # A quick look at your own images, a folder for each class.
  alcedo reproduce --data photos/ --dataset folder --lite -o look
  # Two seeds from two machines, or two tables from two days: one report.
  alcedo reproduce --data photos/ --dataset folder --lite --seed 0 -o seed0
  alcedo reproduce --data photos/ --dataset folder --lite --seed 1 -o seed1
  alcedo reproduce --merge seed0/results.json,seed1/results.json -o both

Exit codes:
  0    the report was written
  1    an error, in one sentence on standard error
  2    a mistake in the command line
  3    the report was written, but some images were bad: it lists them
  130  interrupted; the same command resumes it
)";

struct ReproduceRequest {
  std::string data;
  std::vector<std::string> merge;     // files; instead of data
  std::vector<std::string> datasets;  // names; empty: all that are found
  std::string output = "results";     // folder
  std::string work;                   // folder; "": inside the output
  reproduce::ReproduceOptions options;
  FolderSplitOptions split;  // of --dataset folder
  bool keep_vectors = false;
  int threads = 1;
  bool quiet = false;
};

// "a,b" as names of datasets.
std::vector<std::string> ParseDatasets(const std::string& text) {
  std::vector<std::string> names = Split(text, ',');
  for (const std::string& name : names) {
    CheckChoice("--dataset", name, Choices<DatasetKind>());
    RequireUsage(name != "auto", "--dataset auto is what is done without --dataset");
  }
  return names;
}

void AddOptions(App& app, ReproduceRequest& request) {
  app.Group("Data");
  app.Add("--data", "FOLDER", "a dataset, or a folder with datasets in it; required", request.data);
  app.Add("--merge", "FILE[,FILE...]",
          "instead of data: results.json of runs on one dataset, with other tables or other seeds, "
          "as one report",
          [&request](const std::string& text) { request.merge = Split(text, ','); });
  app.Add("--dataset", Choices<DatasetKind>(),
          "only these, separated by commas (default: all that are found)",
          [&request](const std::string& text) { request.datasets = ParseDatasets(text); });
  app.Group("Output");
  app.Add("-o,--output", "FOLDER", "folder of the report (default results)", request.output);
  app.Add("--work", "FOLDER",
          "folder of intermediate files, to resume from (default: work in the output folder)",
          request.work);
  app.AddFlag("--keep-vectors", "keep the vectors of the training images in the work folder",
              request.keep_vectors);
  app.Group("Experiment");
  VisitFields(request.options, FieldFlags{app, ""});
  app.Group("Only for --dataset folder");
  VisitFields(request.split, FieldFlags{app, "folder-"});
  AddRunning(app, request.threads, request.quiet, "print nothing but errors");
}

void CheckRequest(const App& app, ReproduceRequest& request) {
  RequireUsage(!request.data.empty() || !request.merge.empty(),
               "no data given: alcedo reproduce --data FOLDER (see 'alcedo reproduce --help')");
  RequireUsage(request.data.empty() || request.merge.empty(),
               "--merge takes results, and --data images: give one of them");
  if (!request.merge.empty()) {
    constexpr std::array kForBoth{"--merge", "--output", "--threads", "--quiet"};
    for (const std::string& flag : app.Names()) {
      RequireUsage(!app.Given(flag) || std::ranges::count(kForBoth, flag) > 0,
                   fmt::format("{} goes with --data: --merge takes results as they are", flag));
    }
  }
  RefuseStdout("--output", request.output, "a folder");
  RefuseStdout("--work", request.work, "a folder");
  if (request.work.empty()) request.work = request.output + "/work";
  CheckFlags(app, [&] { Check(request.options); });
}

std::vector<Dataset> ReadDatasets(const ReproduceRequest& request) {
  std::vector<Dataset> datasets;
  const auto wanted = [&](DatasetKind kind) {
    return request.datasets.empty() || std::ranges::count(request.datasets, Name(kind)) > 0;
  };
  for (const auto& [kind, path] : FindDatasets(request.data)) {
    if (wanted(kind)) datasets.push_back(ReadDataset(path, kind));
  }
  if (std::ranges::count(request.datasets, "folder") > 0) {
    datasets.push_back(ReadDataset(request.data, DatasetKind::kFolder, request.split));
  }
  if (datasets.empty()) {
    throw InvalidArgument(fmt::format(
        "{} holds none of the datasets {}; --dataset folder takes a plain folder for each class",
        request.data,
        request.datasets.empty() ? "voc2007, cub2010, cub2011, pets and flowers"
                                 : fmt::format("{}", fmt::join(request.datasets, ", "))));
  }
  return datasets;
}

// All files, each whole or not at all.
void WriteReport(const report::Results& results, const fs::path& folder) {
  WriteWholeFile(folder / "results.json", Dump(ToJson(results)) + "\n");
  WriteWholeFile(folder / "results.csv", report::CellsCsv(results));
  WriteWholeFile(folder / "report.html", report::HtmlReport(results));
  WriteWholeFile(folder / "report.md", report::MarkdownReport(results));
}

// The report of files that other runs have written.
int MergeReports(const ReproduceRequest& request) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
  std::vector<reproduce::NamedResults> parts;
  for (const std::string& file : request.merge) {
    const report::Json json = ParseJson(ReadFileBytes(file, kMostBytes), file);
    parts.push_back({file, report::ResultsFromJson(json, file)});
  }
  const report::Results results = reproduce::MergeResults(std::move(parts), request.threads);
  MakeFolders(request.output);
  WriteReport(results, request.output);
  if (!request.quiet) {
    WriteStdout(report::TextReport(results, isatty(STDOUT_FILENO) != 0));
    PrintLine(fmt::format("wrote {}", (fs::path(request.output) / "report.html").string()));
  }
  return kOk;
}

}  // namespace

int ReproduceCommand(const Words& args) {
  App app("alcedo reproduce", "Reproduces the tables of the paper, and goes beyond them.",
          kReproduceFooter);
  ReproduceRequest request;
  AddOptions(app, request);
  if (!app.Parse(args)) return kOk;
  CheckRequest(app, request);
  if (!request.merge.empty()) return MergeReports(request);
  const std::vector<Dataset> datasets = ReadDatasets(request);
  MakeFolders(request.output);

  LongRun long_run(request.threads, request.quiet, true, [](const Progress& progress) {
    return fmt::format("alcedo: interrupted at {}; run the same command again to resume",
                       progress.stage.empty() ? "the start" : progress.stage);
  });
  reproduce::ReproduceRun run{long_run.MakeRun()};
  run.work = request.work;
  run.maker.commit = info::Commit();
  run.maker.processor = info::DescribeMachine("", "").processor;
  run.keep_vectors = request.keep_vectors;
  run.results = [&](const report::Results& results) {
    long_run.Write([&] { WriteReport(results, request.output); });
  };
  const report::Results results = reproduce::Reproduce(datasets, request.options, run);
  long_run.line().Clear();
  run.results(results);
  if (!request.quiet) {
    WriteStdout(report::TextReport(results, isatty(STDOUT_FILENO) != 0));
    PrintLine(fmt::format("wrote {}", (fs::path(request.output) / "report.html").string()));
    long_run.PrintDone(0, "", {});
    for (std::size_t i = 0; i < datasets.size(); ++i) {
      std::vector<std::string> notes = results.datasets[i].notes;
      // What the authors of a dataset left out is in the report alone.
      if (datasets[i].kind != DatasetKind::kFolder) {
        std::erase_if(notes, [&](const std::string& note) {
          return std::ranges::count(datasets[i].notes, note) > 0;
        });
      }
      PrintNotes(notes);
    }
  }
  const bool bad = std::ranges::any_of(
      results.datasets, [](const report::DatasetSummary& d) { return !d.failures.empty(); });
  return bad ? kSomeSkipped : kOk;
}

}  // namespace alcedo::cli
