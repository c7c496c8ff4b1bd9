#include "alcedo/cli/classify_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "alcedo/cli/done_line.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/failure_lines.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/progress.h"
#include "alcedo/cli/run_options.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/csv.h"
#include "alcedo/base/escape.h"
#include "alcedo/training/predict.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(The likeliest classes of every picture, in the order of the inputs, while the work goes on. A score
is larger the likelier a class is; a model with probabilities gives these too: of every class
against the rest, so that they need not sum to one, and classes are ranked by them. A model of
descriptors made elsewhere ('alcedo train --descriptor external') takes array files.

Examples:
  # The five likeliest classes of a picture.
  alcedo classify model.safetensors photo.jpg
  # The best class of all pictures of a folder, as a table.
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

// Why an image is bad. That vocabularies of arrays can be learned is no help where there is a
// model.
std::string Reason(const std::string& failure) {
  return failure.substr(0, failure.find("; learn a vocabulary with "));
}

// Predictions as text, an image at a time.
class PredictionWriter {
 public:
  PredictionWriter(const ClassifyJob& job, const Model& model)
      : format_(job.format), top_(std::min(job.top, static_cast<int>(model.classes.size()))) {
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
        json["error"] = internal::EscapeText(Reason(prediction.failure));
      } else {
        json["predictions"] = Json::array();
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
    std::string text = format_ == "text" ? name + "\n" : "";
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

ClassifyArguments::ClassifyArguments()
    : app_("Tells the classes of pictures, with a model that 'alcedo train' made.",
           "alcedo classify") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.add_option("MODEL", job_.model, "a model file")->type_name("FILE");
  AddInputOptions(app_, job_.inputs, job_.list,
                  "pictures, or folders of them with all folders in them");
  app_.option_defaults()->group("Output");
  app_.add_option("-o,--output", job_.output, "a file; - is standard output, as without it")
      ->type_name("FILE");
  AddTextOption(app_, "--format", "text|jsonl|csv", "for people, or for programs (default text)",
                [this](const std::string& text) {
                  job_.format = CheckChoice("--format", text, "text|jsonl|csv");
                });
  AddTextOption(app_, "--top", "INTEGER",
                fmt::format("classes of every image, the likeliest first (default {})", job_.top),
                [this](const std::string& text) {
                  job_.top = ParseInt("--top", text);
                  RequireUsage(job_.top >= 1, fmt::format("--top must be >= 1, got {}", text));
                });
  app_.option_defaults()->group("Running");
  AddThreadsOption(app_, job_.threads);
  app_.add_flag("-q,--quiet", job_.quiet, "no progress");
}

bool ClassifyArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!job_.model.empty(),
               "no MODEL given: alcedo classify MODEL IMAGES (see 'alcedo classify --help')");
  RequireUsage(!job_.inputs.empty() || !job_.list.empty(),
               "no IMAGES given (see 'alcedo classify --help')");
  CheckModelFirst("classify", job_.model, job_.inputs);
  if (job_.output == "-") job_.output.clear();
  return true;
}

int ClassifyCommand(const std::vector<std::string>& args) {
  ClassifyArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const ClassifyJob& job = arguments.job();
  const Predictor predictor = MakePredictor(ReadModel(job.model));
  const DescriptorKind descriptor = predictor.representers[0].config.describe.descriptor;
  const ImageList images = ListImages({job.inputs, job.list, {job.output}}, descriptor);
  if (!job.output.empty()) {
    CheckImagePaths(images, {{"MODEL", job.model}, {"--list", job.list}},
                    {{"--output", job.output}});
    CheckParent(job.output);
  }
  const PredictionWriter writer(job, predictor.model);
  const DoneLine done(job.quiet);
  ProgressMeter progress(static_cast<Index>(images.images.size()), job.quiet, "images");
  Interrupts interrupts([&] {
    progress.Clear();
    return fmt::format("alcedo: interrupted with {} of {} images classified", progress.done(),
                       progress.total());
  });
  // A file appears whole or not at all; standard output gets every image at once.
  std::string held;
  const auto write = [&](const std::string& text) {
    if (job.output.empty()) {
      progress.Clear();
      WriteStdout(text);
    } else {
      held += text;
    }
  };
  write(writer.head());
  EncodeRun run;
  run.threads = job.threads;
  run.progress = [&] { progress.Advance(); };
  std::vector<BadImage> bad;
  PredictImages(predictor, images.images, run, [&](Index number, const Prediction& prediction) {
    const std::string& name = images.images[static_cast<std::size_t>(number)].name;
    write(writer.Text(name, prediction));
    if (!prediction.failure.empty()) bad.push_back({name, Reason(prediction.failure)});
  });
  progress.Clear();
  // Of one picture there is nothing to go on with; for programs its line says why.
  if (!images.several && !bad.empty() && job.format != "jsonl") {
    throw InvalidArgument(Sentence(bad[0]));
  }
  if (!job.output.empty()) {
    const Interrupts::Writing writing(interrupts);
    WriteWholeFile(job.output, held);
  }
  if (images.images.size() > 1) done.Print(progress.total(), "images", {job.output});
  PrintLeftOut(images, job.quiet);
  if (job.format != "jsonl") PrintBadImages(bad, images.images.size(), "");
  return bad.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
