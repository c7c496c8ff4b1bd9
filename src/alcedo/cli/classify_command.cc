// `alcedo classify`: the classes of images, by a model.
#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/text.h"
#include "alcedo/base/utf8.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/config/field_json.h"
#include "alcedo/files/failure_list.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/csv.h"
#include "alcedo/training/predict.h"

namespace alcedo::cli {
namespace {

constexpr const char* kClassifyFooter =
    R"(The most likely classes of every image, in the order of the inputs, while the work goes on. A score
is larger the more likely a class is; a model with probabilities gives these too: of every class
against the rest, so that they need not sum to one, and classes are ranked by them. A model of
descriptors made elsewhere ('alcedo train --descriptor external') takes array files.

Examples:
  # The five most likely classes of an image.
  alcedo classify model.safetensors photo.jpg
  # The best class of all images of a folder, as a table.
  alcedo classify model.safetensors photos/ --top 1 --format csv -o classes.csv
  # For another program: one JSON object a line.
  find photos -name '*.jpg' | alcedo classify model.safetensors --list - --format jsonl

Exit codes:
  0    all images were classified
  1    an error, in one sentence on standard error
  2    a mistake in the command line
  3    some images were bad: jsonl has an object with "error" for each, standard error a line
  130  interrupted; a file given with -o was not written
)";

struct ClassifyRequest {
  std::string model;
  ImageArguments images;
  std::string output;           // "": standard output
  std::string format = "text";  // text, jsonl, csv
  int top = 5;
  int threads = 1;
  bool quiet = false;
};

void AddOptions(App& app, ClassifyRequest& request) {
  app.Add("MODEL", "FILE", "a model file", request.model);
  AddImages(app, request.images, "images, or folders of them with all folders in them");
  app.Group("Output");
  app.Add("-o,--output", "FILE", "a file; - is standard output, as without it", request.output);
  app.Add("--format", "text|jsonl|csv", "for people, or for programs (default text)",
          [&request](const std::string& text) {
            request.format = CheckChoice("--format", text, "text|jsonl|csv");
          });
  app.Add("--top", "INTEGER",
          fmt::format("classes of every image, the most likely first (default {})", request.top),
          [&request](const std::string& text) {
            request.top = ParseInt("--top", text);
            RequireUsage(request.top >= 1, fmt::format("--top must be >= 1, got {}", text));
          });
  AddRunning(app, request.threads, request.quiet, "no progress");
}

constexpr const char* kNoPatches = "has no patches: the scores are the model's bias alone";

// Predictions as text, an image at a time.
class PredictionWriter {
 public:
  PredictionWriter(const ClassifyRequest& request, const Model& model)
      : format_(request.format),
        top_(std::min(request.top, static_cast<int>(model.classes.size()))) {
    for (const std::string& name : model.classes) {
      classes_.push_back(internal::EscapeText(name));
      width_ = std::max(width_, classes_.back().size());
    }
    if (format_ == "csv") {
      std::vector<std::string> names{"image", "rank", "class", "score"};
      if (model.platt) names.emplace_back("probability");
      head_ = Record(names);
    }
  }

  const std::string& head() const { return head_; }

  std::string Text(const std::string& image, const Prediction& prediction) const {
    const std::string name = internal::EscapeText(image);
    const bool bad = !prediction.failure.empty();
    if (format_ == "jsonl") {
      Json json{{"image", name}};
      if (bad) {
        json["error"] = internal::EscapeText(prediction.failure);
      } else {
        json["predictions"] = Json::array();
        if (prediction.patches == 0) json["note"] = kNoPatches;
      }
      ForTop(prediction, [&](int, int c) {
        Json entry{{"class", classes_[c]}, {"score", prediction.scores[c]}};
        if (prediction.probabilities.size() > 0) {
          entry["probability"] = prediction.probabilities[c];
        }
        json["predictions"].push_back(std::move(entry));
      });
      return Dump(json) + "\n";
    }
    if (bad) return "";
    const std::string note = prediction.patches == 0 ? fmt::format(" ({})", kNoPatches) : "";
    std::string text = format_ == "text" ? name + note + "\n" : "";
    ForTop(prediction, [&](int rank, int c) {
      if (format_ == "text") {
        text += fmt::format("  {:<{}}  {:>8.4f}\n", classes_[c], width_, prediction.values()[c]);
        return;
      }
      std::vector<std::string> fields{name, std::to_string(rank), classes_[c],
                                      fmt::format("{}", prediction.scores[c])};
      if (prediction.probabilities.size() > 0) {
        fields.push_back(fmt::format("{}", prediction.probabilities[c]));
      }
      text += Record(fields);
    });
    return text;
  }

 private:
  template <class Use>
  void ForTop(const Prediction& prediction, const Use& use) const {
    if (!prediction.failure.empty()) return;
    const std::vector<int> ranked = RankedClasses(prediction);
    for (int rank = 1; rank <= top_; ++rank) use(rank, ranked[static_cast<std::size_t>(rank - 1)]);
  }
  static std::string Record(const std::vector<std::string>& fields) {
    std::string text;
    internal::AppendCsvRecord(text, fields);
    return text;
  }

  const std::string format_;
  const int top_;
  std::vector<std::string> classes_;
  std::size_t width_ = 0;
  std::string head_;
};

}  // namespace

int ClassifyCommand(const Words& args) {
  App app("alcedo classify", "Tells the classes of images, with a model that 'alcedo train' made.",
          kClassifyFooter);
  ClassifyRequest request;
  AddOptions(app, request);
  if (!app.Parse(args)) return kOk;
  RequireUsage(!request.model.empty(),
               "no MODEL given: alcedo classify MODEL IMAGES (see 'alcedo classify --help')");
  RequireUsage(!request.images.empty(), "no IMAGES given (see 'alcedo classify --help')");
  CheckModelFirst("classify", request.model, request.images.inputs);
  if (request.output == "-") request.output.clear();

  const Predictor predictor(ReadModel(request.model));
  const bool arrays =
      predictor.encoder.channels()[0].config().describe.descriptor.Is<ExternalOptions>();
  const ImageList list = ReadImageList(request.images, {request.output}, arrays);
  if (!request.output.empty()) {
    CheckImagePaths(list, {{"MODEL", request.model}, {"--list", request.images.list}},
                    {{"--output", request.output}});
    CheckParent(request.output);
  }
  const PredictionWriter writer(request, predictor.model);
  LongRun long_run(request.threads, request.quiet, false, [](const Progress& progress) {
    return fmt::format("alcedo: interrupted with {} of {} images classified", progress.done,
                       progress.total);
  });
  // A file appears whole or not at all; standard output gets every image at once.
  std::string held;
  const auto write = [&](const std::string& text) {
    if (request.output.empty()) {
      long_run.line().Clear();
      WriteStdout(text);
    } else {
      held += text;
    }
  };
  write(writer.head());
  std::vector<Failure> failures;
  std::vector<std::string> without_patches;
  Progress progress{"", 0, static_cast<Index>(list.images.size()), 0, "images"};
  PredictImages(predictor, list.images, long_run.MakeRun(), progress,
                [&](Index number, const Prediction& prediction) {
                  const std::string& name = list.images[static_cast<std::size_t>(number)].name;
                  write(writer.Text(name, prediction));
                  if (!prediction.failure.empty()) {
                    failures.push_back({name, prediction.failure});
                  } else if (prediction.patches == 0) {
                    without_patches.push_back(name);
                  }
                });
  long_run.line().Clear();
  // Of one image there is nothing else to print; for programs its line says why.
  if (!list.several && !failures.empty() && request.format != "jsonl") {
    throw Error(Sentence(failures[0]));
  }
  if (!request.output.empty()) {
    long_run.Write([&] { WriteWholeFile(request.output, held); });
  }
  if (progress.total > 1) long_run.PrintDone(progress.total, "images", {request.output});
  if (!request.quiet) PrintNotes(list.Notes());
  // The other formats say so beside the image.
  if (request.format == "csv" && !without_patches.empty()) {
    PrintNotes({fmt::format("{} of {} images {}: {}", without_patches.size(), list.images.size(),
                            without_patches.size() == 1
                                ? kNoPatches
                                : "have no patches: their scores are the model's bias alone",
                            FirstOf(without_patches))});
  }
  if (request.format != "jsonl") PrintFailures(failures, list.images.size(), "");
  return failures.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
