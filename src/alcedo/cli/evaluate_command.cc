// `alcedo evaluate`: how good a model is on a dataset.
#include <fmt/format.h>

#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/config/field_json.h"
#include "alcedo/training/evaluate.h"

namespace alcedo::cli {
namespace {

constexpr const char* kEvaluateFooter =
    R"(Top-1 over all images and as the mean over the classes, or for sets with several classes per image
the mean average precision, at 11 points and as an area; each with a 95% interval for other test
images (bootstrap). Then every class, and the classes most often confused.

DATA is what 'alcedo train' takes. With the same --folder options a plain folder is split as it was
for training, so that the model has not seen the images it is judged by. Classes are matched by
their names.

Examples:
  alcedo train photos/ -o model.safetensors
  alcedo evaluate model.safetensors photos/
  # Every image of another collection, with all numbers as JSON.
  alcedo evaluate model.safetensors others/ --split all --json results.json --csv confusion.csv

Exit codes:
  0    all images were judged
  1    an error, in one sentence on standard error; nothing was written
  2    a mistake in the command line
  3    some images were bad and are left out; standard error lists them
  130  interrupted; nothing was written
)";

constexpr const char* kSplits = "test|validation|train|all";

struct EvaluateRequest {
  std::string model;
  DataOptions data;
  std::string split = "test";
  std::string json, csv;  // files; "": none
  int threads = 1;
  bool quiet = false;
};

void AddOptions(App& app, EvaluateRequest& request) {
  app.Add("MODEL", "FILE", "a model file", request.model);
  app.Add("DATA", "FOLDER", "a folder with a folder per class, or a dataset", request.data.data);
  AddDataOptions(app, request.data);
  app.Group("Data");
  app.Add("--split", kSplits, "which images to judge by (default test)",
          [&request](const std::string& text) {
            request.split = CheckChoice("--split", text, kSplits);
          });
  app.Group("Output");
  app.Add("--json", "FILE", "all results, with the confusion matrix; - is standard output",
          request.json);
  app.Add("--csv", "FILE", "the confusion matrix, a row per true class; - is standard output",
          request.csv);
  AddRunning(app, request.threads, request.quiet, "no progress, and no notes");
}

std::vector<Index> ImagesToJudge(const Dataset& dataset, const std::string& split) {
  std::vector<Index> images;
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    if (split == "all" || split == Name(dataset.images[i].split)) {
      images.push_back(static_cast<Index>(i));
    }
  }
  if (images.empty()) {
    throw FormatError(dataset.root.string(),
                      fmt::format("has no {} images; choose others with --split", split));
  }
  return images;
}

}  // namespace

int EvaluateCommand(const Words& args) {
  App app("alcedo evaluate", "Says how good a model is on images of known classes.",
          kEvaluateFooter);
  EvaluateRequest request;
  AddOptions(app, request);
  if (!app.Parse(args)) return kOk;
  const std::string see = "given: alcedo evaluate MODEL DATA (see 'alcedo evaluate --help')";
  RequireUsage(!request.model.empty(), "no MODEL " + see);
  RequireUsage(!request.data.data.empty(), "no DATA " + see);
  CheckModelFirst("evaluate", request.model, {request.data.data});

  const Predictor predictor(ReadModel(request.model));
  if (predictor.model.multi_label && !request.csv.empty()) {
    throw Error("--csv has a confusion matrix, which needs one class per image");
  }
  const bool arrays =
      predictor.model.channels[0].vocabulary.config.describe.descriptor.Is<ExternalOptions>();
  const Dataset dataset =
      ReadData(app, request.data, request.split == "all", "--split all", arrays);
  const std::vector<Index> images = ImagesToJudge(dataset, request.split);
  CheckDataPaths(dataset, {{"MODEL", request.model}},
                 {{"--json", request.json}, {"--csv", request.csv}});
  LongRun long_run(request.threads, request.quiet, true, [](const Progress&) {
    return std::string("alcedo: interrupted; nothing was written");
  });
  const Evaluation evaluation = Evaluate(predictor, dataset, images, long_run.MakeRun());
  long_run.line().Clear();
  Outputs outputs;
  outputs.Add(request.json, Dump(EvaluationJson(evaluation), 1) + "\n");
  if (!request.csv.empty()) outputs.Add(request.csv, ConfusionCsv(evaluation));
  long_run.Write([&] { outputs.Commit(); });
  if (!request.quiet) {
    PrintNotes(dataset.notes);
    PrintNotes(evaluation.notes);
  }
  outputs.Print();
  // If a program reads what is printed, nothing else is.
  if (!outputs.printed()) WriteStdout(EvaluationText(evaluation));
  long_run.PrintDone(evaluation.images, "images", {request.json, request.csv});
  PrintFailures(evaluation.failures,
                static_cast<std::size_t>(evaluation.images) + evaluation.failures.size(),
                request.json == "-" ? "" : request.json);
  return evaluation.failures.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
