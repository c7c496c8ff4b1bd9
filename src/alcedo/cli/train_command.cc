// `alcedo train`: a model from images of known classes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

#include "alcedo/base/utf8.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/files/failure_list.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/training/train.h"

namespace alcedo::cli {
namespace {

constexpr const char* kTrainFooter =
    R"(DATA is a folder with a folder of images for each class, or one of the datasets that 'alcedo
reproduce' knows. Half of every class of a plain folder is kept for 'alcedo evaluate' and not
trained on: --folder-test-fraction takes another share, --all every image. If there are folders
train/ and test/ (and val/) with the classes inside, they are the split.

With --descriptor external the folders hold array files (.npy, .npz, .safetensors) of descriptors
made elsewhere, one per image, as 'alcedo encode' takes them; 'evaluate' and 'classify' then take
such files too.

For SIFT and for colour a vocabulary is learned, every image becomes one vector, and linear
SVMs separate the classes; their scores are summed. C is chosen on the validation
split, or by cross-validation if there is none. A run that was interrupted, or killed, is resumed
when the same command is given again.

Examples:
  # A model of your own images, photos/cat/1.jpg, photos/dog/2.jpg and so on.
  alcedo train photos/ -o model.safetensors
  alcedo evaluate model.safetensors photos/
  # One that learns from all of them, and gives probabilities.
  alcedo train photos/ --all --probabilities -o model.safetensors
  # From descriptors made elsewhere, arrays/cat/1.npy, arrays/dog/2.npy and so on.
  alcedo train arrays/ --descriptor external -o model.safetensors
  # Smaller and faster.
  alcedo train photos/ --descriptor sift --gaussians 16 --samples 50000 -o small.safetensors

Exit codes:
  0    the model was written
  1    an error, in one sentence on standard error; no model was written
  2    a mistake in the command line
  3    the model was written, but some images were bad and are left out: OUTPUT.failures.csv has
       them
  130  interrupted; the same command resumes it
)";

struct TrainRequest {
  DataOptions data;
  std::string output;
  std::string work;  // folder; by default the output with .work behind it
  TrainOptions options;
  int threads = 1;
  bool quiet = false;
};

// --encoder without sparse, which Check(TrainOptions) refuses with its reason.
void AddEncoder(App& app, EncoderOptions& value, std::string_view help) {
  const std::string all = Choices<EncoderOptions>();
  std::vector<std::string> taken = Split(all, '|');
  std::erase(taken, SparseCodingOptions::kLabel.name);
  app.Add("--encoder", fmt::format("{}", fmt::join(taken, "|")),
          fmt::format("{} (default {})", help, value.name()),
          [&value, all](const std::string& text) {
            value.Choose(CheckChoice("--encoder", text, all));
          });
}

void AddOptions(App& app, TrainRequest& request) {
  app.Add("DATA", "FOLDER", "a folder with a folder per class, or a dataset", request.data.data);
  AddDataOptions(app, request.data);
  app.Group("Output");
  app.Add("-o,--output", "FILE", "the model, a .safetensors file; required", request.output);
  app.Add("--work", "FOLDER",
          "where an interrupted run finds what it did; removed at the end (default: the output "
          "with .work behind it)",
          request.work);
  app.Group("Model");
  const FieldFlags fields{app, ""};
  VisitFields(request.options,
              [&]<class T>(std::string_view field, T& value, std::string_view help) {
                if constexpr (std::is_same_v<T, EncoderOptions>) {
                  AddEncoder(app, value, help);
                } else {
                  fields(field, value, help);
                }
              });
  AddRunning(app, request.threads, request.quiet, "print nothing but errors");
}

// Refuses options that others make meaningless.
void CheckTogether(const App& app, const TrainRequest& request) {
  const TrainOptions& o = request.options;
  const bool gmp = o.pooling.Is<GmpOptions>();
  const bool both = o.descriptor.Is<BothDescriptors>();
  const bool sift = both || o.descriptor.Is<SiftOptions>();
  const bool images = !o.descriptor.Is<ExternalOptions>();
  const bool color = both || o.descriptor.Is<ColorOptions>();
  struct Rule {
    const char* flag;
    bool holds;
    const char* goes_with;
    std::string chosen;
  };
  const std::string pooling = fmt::format("--pooling {}", o.pooling.name());
  const std::string descriptor = fmt::format("--descriptor {}", o.descriptor.name());
  for (const Rule& rule : {Rule{"--lambda", gmp, "--pooling gmp", pooling},
                           Rule{"--no-lambda-relative", gmp, "--pooling gmp", pooling},
                           Rule{"--no-root-sift", sift, "--descriptor both or sift", descriptor},
                           Rule{"--sift-patch", sift, "--descriptor both or sift", descriptor},
                           Rule{"--color-patch", color, "--descriptor both or color", descriptor},
                           Rule{"--scales", images, "images", descriptor},
                           Rule{"--mirror", images, "images", descriptor},
                           Rule{"--fusion-weights", both, "--descriptor both", descriptor},
                           Rule{"--gaussians", !o.encoder.Is<EmkOptions>(), "all encoders but emk",
                                "--encoder emk"}}) {
    RequireUsage(
        rule.holds || !app.Given(rule.flag),
        fmt::format("{} goes with {}, not with {}", rule.flag, rule.goes_with, rule.chosen));
  }
}

void CheckRequest(const App& app, TrainRequest& request) {
  const std::string see = "(see 'alcedo train --help')";
  RequireUsage(!request.data.data.empty(),
               "no DATA given: alcedo train DATA -o model.safetensors " + see);
  RequireUsage(!request.output.empty(),
               "no output given: alcedo train DATA -o model.safetensors " + see);
  CheckSafetensorsOutput(request.output, "a model");
  RefuseStdout("--work", request.work, "a folder");
  if (request.work.empty()) request.work = request.output + ".work";
  CheckTogether(app, request);
  CheckFlags(app, [&] { Check(request.options); });
}

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
                          channel.config.describe.descriptor.name(), WordsText(channel.vocabulary),
                          Thousands(channel.classifier.weights.cols())));
  }
  PrintLine(SelectionText(result, folds_asked));
  if (!model.fusion_weights.empty()) {
    PrintLine(
        fmt::format("weights of the channels: {:.3f}", fmt::join(model.fusion_weights, ", ")));
  }
  PrintLine(fmt::format("wrote {}, {}", output, FileSize(bytes)));
  if (!result.converged) {
    PrintWarnings({"an SVM did not converge; try smaller values of --c"});
  }
}

}  // namespace

int TrainCommand(const Words& args) {
  App app("alcedo train", "Trains a model from images of known classes.", kTrainFooter);
  TrainRequest request;
  AddOptions(app, request);
  if (!app.Parse(args)) return kOk;
  CheckRequest(app, request);
  const Dataset dataset = ReadData(app, request.data, request.options.all, "--all",
                                   request.options.descriptor.Is<ExternalOptions>());
  const std::string failures = request.output + ".failures.csv";
  CheckDataPaths(dataset, {},
                 {{"--output", request.output}, {"--work", request.work}, {"--output", failures}});
  if (!request.quiet) PrintNotes(dataset.notes);
  LongRun long_run(request.threads, request.quiet, true, [](const Progress& progress) {
    return fmt::format("alcedo: interrupted at {}; run the same command again to resume",
                       progress.stage.empty() ? "the start" : progress.stage);
  });
  Run run = long_run.MakeRun();
  run.work = request.work;
  const TrainResult result = Train(dataset, request.options, run);
  long_run.line().Clear();
  const std::string bytes = ModelBytes(result.model);
  long_run.Write([&] {
    WriteFailures(failures, result.failures);
    WriteWholeFile(request.output, bytes);
    RemoveTrainFolder(request.work);
  });
  if (!request.quiet) {
    PrintSummary(result, request.options.folds, request.output,
                 static_cast<std::int64_t>(bytes.size()));
    long_run.PrintDone(result.model.training.images, "images", {});
  }
  PrintFailures(result.failures,
                static_cast<std::size_t>(result.model.training.images) + result.failures.size(),
                failures);
  return result.failures.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
