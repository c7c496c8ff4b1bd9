#include "alcedo/cli/evaluate_command.h"

#include <fmt/format.h>

#include <memory>

#include "alcedo/cli/done_line.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/experiment_progress.h"
#include "alcedo/cli/failure_lines.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/output.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/training/evaluate.h"
#include "alcedo/config/field_json.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(Top-1 over all images and as the mean over the classes, each with the interval that 95% of the
bootstrap's resamples of the images lie in; of sets with several classes per image the mean average
precision, at 11 points and as an area. Then every class, and the classes most often confused.

DATA is what 'alcedo train' takes. With the same --folder options a plain folder is split as it was
for training, so that the model has not seen the images it is judged by. Classes are matched by
their names.

Examples:
  alcedo train photos/ -o model.safetensors
  alcedo evaluate model.safetensors photos/
  # Every picture of another collection, with all numbers as JSON.
  alcedo evaluate model.safetensors others/ --split all --json results.json --csv confusion.csv

Exit codes:
  0    all images were judged
  1    an error, in one sentence on standard error; nothing was written
  2    a mistake in the command line
  3    some images were bad and are left out; standard error lists them
  130  interrupted; nothing was written
)";

constexpr const char* kSplits = "test|validation|train|all";

std::vector<Index> ImagesToJudge(const Dataset& dataset, const std::string& split) {
  std::vector<Index> images;
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    if (split == "all" || split == Name(dataset.images[i].split)) {
      images.push_back(static_cast<Index>(i));
    }
  }
  if (images.empty()) {
    throw InvalidArgument(fmt::format("{} has no {} images; choose others with --split",
                                      dataset.root.string(), split));
  }
  return images;
}

bool TakesArrays(const Model& model) {
  return model.channels[0].vocabulary.config.describe.descriptor == DescriptorKind::kExternal;
}

}  // namespace

EvaluateArguments::EvaluateArguments()
    : app_("Says how good a model is on pictures of known classes.", "alcedo evaluate") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.add_option("MODEL", job_.model, "a model file")->type_name("FILE");
  app_.add_option("DATA", job_.data.data, "a folder with a folder per class, or a dataset")
      ->type_name("FOLDER");
  AddDataOptions(app_, job_.data);
  app_.option_defaults()->group("Data");
  AddTextOption(
      app_, "--split", kSplits, "which images to judge by (default test)",
      [this](const std::string& text) { job_.split = CheckChoice("--split", text, kSplits); });
  app_.option_defaults()->group("Output");
  app_.add_option("--json", job_.json,
                  "all results, with the confusion matrix; - is standard output")
      ->type_name("FILE");
  app_.add_option("--csv", job_.csv,
                  "the confusion matrix, a row per true class; - is standard output")
      ->type_name("FILE");
  app_.option_defaults()->group("Running");
  AddThreadsOption(app_, job_.threads);
  app_.add_flag("-q,--quiet", job_.quiet, "no progress, and no notes");
}

bool EvaluateArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!job_.model.empty(),
               "no MODEL given: alcedo evaluate MODEL DATA (see 'alcedo evaluate --help')");
  RequireUsage(!job_.data.data.empty(),
               "no DATA given: alcedo evaluate MODEL DATA (see 'alcedo evaluate --help')");
  CheckModelFirst("evaluate", job_.model, {job_.data.data});
  return true;
}

int EvaluateCommand(const std::vector<std::string>& args) {
  EvaluateArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const EvaluateJob& job = arguments.job();
  const Predictor predictor = MakePredictor(ReadModel(job.model));
  if (predictor.model.multi_label && !job.csv.empty()) {
    throw InvalidArgument("--csv has a confusion matrix, which needs one class per image");
  }
  const Dataset dataset =
      ReadData(job.data, job.split == "all", "--split all", TakesArrays(predictor.model));
  const std::vector<Index> images = ImagesToJudge(dataset, job.split);
  CheckDataPaths(dataset, {{"MODEL", job.model}}, {{"--json", job.json}, {"--csv", job.csv}});
  const DoneLine done(job.quiet);
  ExperimentProgressLine progress(job.quiet);
  Interrupts interrupts([&] {
    progress.Clear();
    return std::string("alcedo: interrupted; nothing was written");
  });
  Run run;
  run.threads = job.threads;
  run.progress = [&](const Progress& step) { progress.Show(step); };
  Evaluation evaluation;
  try {
    evaluation = Evaluate(predictor, dataset, images, run);
  } catch (...) {
    progress.Clear();
    throw;
  }
  progress.Clear();
  FileBatch files;
  {
    const Interrupts::Writing writing(interrupts);
    if (!job.json.empty()) files.Add(job.json, Dump(EvaluationJson(evaluation), 1) + "\n");
    if (!job.csv.empty()) files.Add(job.csv, ConfusionCsv(evaluation));
    files.Commit();
  }
  if (!job.quiet) {
    for (const std::string& note : dataset.notes) PrintLine("note: " + note);
    for (const std::string& note : evaluation.notes) PrintLine("note: " + note);
  }
  files.Print();
  // Where a program reads what is printed, nothing else is.
  const bool for_program = job.json == "-" || job.csv == "-";
  if (!for_program) WriteStdout(EvaluationText(evaluation));
  done.Print(evaluation.images, "images", {job.json, job.csv});
  std::vector<BadImage> bad;
  for (const LearnFailure& failure : evaluation.failures) {
    bad.push_back({failure.name, failure.reason});
  }
  PrintBadImages(bad, static_cast<std::size_t>(evaluation.images) + bad.size(),
                 job.json == "-" ? "" : job.json);
  return bad.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
