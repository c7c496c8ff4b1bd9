#include "alcedo/cli/reproduce_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/cli/done_line.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/experiment_progress.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/report/html_report.h"
#include "alcedo/report/markdown_report.h"
#include "alcedo/reproduce/reproduce.h"
#include "alcedo/report/text_table.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

std::vector<Dataset> ReadDatasets(const ReproduceJob& job) {
  std::vector<Dataset> datasets;
  const auto wanted = [&](DatasetKind kind) {
    return job.datasets.empty() || std::ranges::count(job.datasets, Name(kind)) > 0;
  };
  for (const auto& [kind, path] : FindDatasets(job.data)) {
    if (wanted(kind)) datasets.push_back(ReadDataset(path, kind));
  }
  if (std::ranges::count(job.datasets, "folder") > 0) {
    datasets.push_back(ReadDataset(job.data, DatasetKind::kFolder, job.split));
  }
  if (datasets.empty()) {
    throw InvalidArgument(fmt::format(
        "{} holds none of the datasets {}; --dataset folder takes a plain folder for each class",
        job.data,
        job.datasets.empty() ? "voc2007, cub2010, cub2011, pets and flowers"
                             : fmt::format("{}", fmt::join(job.datasets, ", "))));
  }
  return datasets;
}

// All files, each whole or not at all.
void WriteReport(const Results& results, const fs::path& folder) {
  WriteWholeFile(folder / "results.json", Dump(ToJson(results)) + "\n");
  WriteWholeFile(folder / "results.csv", CellsCsv(results));
  WriteWholeFile(folder / "report.html", HtmlReport(results));
  WriteWholeFile(folder / "report.md", MarkdownReport(results));
}

}  // namespace

int ReproduceCommand(const std::vector<std::string>& args) {
  ReproduceArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const ReproduceJob& job = arguments.job();
  const std::vector<Dataset> datasets = ReadDatasets(job);
  MakeFolders(job.output);

  const DoneLine done(job.quiet);
  ExperimentProgressLine progress(job.quiet);
  Interrupts interrupts([&] {
    progress.Clear();
    return fmt::format("alcedo: interrupted at {}; run the same command again to go on",
                       progress.stage().empty() ? "the start" : progress.stage());
  });
  ReproduceRun run;
  run.threads = job.threads;
  run.work = job.work;
  run.keep_vectors = job.keep_vectors;
  run.progress = [&](const Progress& step) { progress.Show(step); };
  run.write = [&](const std::function<void()>& write) {
    const Interrupts::Writing writing(interrupts);
    write();
  };
  run.say = [&](const std::string& sentence) {
    progress.Clear();
    if (!job.quiet) PrintLine(sentence);
  };
  run.results = [&](const Results& results) {
    const Interrupts::Writing writing(interrupts);
    WriteReport(results, job.output);
  };
  Results results;
  try {
    results = Reproduce(datasets, job.options, run);
  } catch (...) {
    progress.Clear();
    throw;
  }
  progress.Clear();
  run.results(results);
  if (!job.quiet) {
    WriteStdout(TextReport(results, isatty(STDOUT_FILENO) != 0));
    PrintLine(fmt::format("wrote {}", (fs::path(job.output) / "report.html").string()));
    done.Print(0, "", {});
    for (const Dataset& dataset : datasets) {
      if (dataset.kind != DatasetKind::kFolder) continue;
      for (const std::string& note : dataset.notes) PrintLine("note: " + note);
    }
  }
  const bool bad = std::ranges::any_of(results.datasets,
                                       [](const DatasetSummary& d) { return !d.failures.empty(); });
  return bad ? kSomeSkipped : kOk;
}

}  // namespace alcedo::cli
