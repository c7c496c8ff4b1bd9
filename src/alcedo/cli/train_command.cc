#include "alcedo/cli/train_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "alcedo/cli/done_line.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/experiment_progress.h"
#include "alcedo/cli/failure_lines.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/vocabulary_text.h"
#include "alcedo/training/train.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/base/escape.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

std::string SelectionText(const TrainResult& result, int folds_asked) {
  const ModelTraining& training = result.model.training;
  if (training.folds == 0) {
    return fmt::format(
        "C = {}, the first candidate: some class has one image only, and none could be held back",
        training.c);
  }
  const std::string held_out =
      training.folds == 1
          ? "on the validation images"
          : fmt::format(
                "by {}-fold cross-validation{}", training.folds,
                training.folds < folds_asked ? " (no more images in the smallest class)" : "");
  if (result.model.multi_label) {
    return fmt::format("C = {}, chosen {}: mean average precision {:.1f}%", training.c, held_out,
                       training.validation);
  }
  return fmt::format("C = {}, chosen {}: top-1 {:.1f}% of the images, {:.1f}% mean over classes",
                     training.c, held_out, result.held_out_images, training.validation);
}

void PrintSummary(const TrainResult& result, int folds_asked, const std::string& output,
                  std::int64_t bytes) {
  const Model& model = result.model;
  PrintLine(fmt::format(
      "{} classes, {} images of {}", Thousands(static_cast<std::int64_t>(model.classes.size())),
      Thousands(model.training.images), internal::EscapeText(model.training.dataset)));
  for (const ModelChannel& channel : model.channels) {
    PrintLine(fmt::format("{}: {}, vectors of {} dimensions",
                          Name(channel.config.describe.descriptor), WordsText(channel.vocabulary),
                          Thousands(channel.classifier.weights.cols())));
  }
  PrintLine(SelectionText(result, folds_asked));
  if (!model.fusion_weights.empty()) {
    PrintLine(
        fmt::format("weights of the channels: {:.3f}", fmt::join(model.fusion_weights, ", ")));
  }
  PrintLine(fmt::format("wrote {}, {}", output, FileSize(bytes)));
  if (!result.converged) {
    PrintLine(
        "alcedo: warning: a machine did not come to its tolerance; try smaller values of --c");
  }
}

}  // namespace

int TrainCommand(const std::vector<std::string>& args) {
  TrainArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const TrainJob& job = arguments.job();
  const Dataset dataset = ReadData(job.data, job.options.all, "--all",
                                   job.options.descriptor == TrainDescriptor::kExternal);
  const std::string failures = job.output + ".failures.csv";
  CheckDataPaths(dataset, {},
                 {{"--output", job.output}, {"--work", job.work}, {"--output", failures}});
  if (!job.quiet) {
    for (const std::string& note : dataset.notes) PrintLine("note: " + note);
  }
  const DoneLine done(job.quiet);
  ExperimentProgressLine progress(job.quiet);
  Interrupts interrupts([&] {
    progress.Clear();
    return fmt::format("alcedo: interrupted at {}; run the same command again to go on",
                       progress.stage().empty() ? "the start" : progress.stage());
  });
  Run run;
  run.threads = job.threads;
  run.work = job.work;
  run.progress = [&](const Progress& step) { progress.Show(step); };
  run.write = [&](const std::function<void()>& write) {
    const Interrupts::Writing writing(interrupts);
    write();
  };
  TrainResult result;
  try {
    result = Train(dataset, job.options, run);
  } catch (...) {
    progress.Clear();
    throw;
  }
  progress.Clear();
  std::vector<BadImage> bad;
  for (const LearnFailure& failure : result.failures) bad.push_back({failure.name, failure.reason});
  const std::string bytes = ModelBytes(result.model);
  {
    const Interrupts::Writing writing(interrupts);
    WriteFailures(failures, bad);
    WriteWholeFile(job.output, bytes);
    RemoveTrainFolder(job.work);
  }
  if (!job.quiet) {
    PrintSummary(result, job.options.folds, job.output, static_cast<std::int64_t>(bytes.size()));
    done.Print(result.model.training.images, "images", {});
  }
  PrintBadImages(bad, static_cast<std::size_t>(result.model.training.images) + bad.size(),
                 failures);
  return bad.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
