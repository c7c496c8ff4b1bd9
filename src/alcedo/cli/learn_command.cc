// `alcedo learn`: a vocabulary from a collection.
#include <fmt/format.h>

#include <optional>

#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/files/failure_list.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/learn/learn.h"

namespace alcedo::cli {
namespace {

constexpr const char* kLearnFooter =
    R"(From every image, scaled down to at most --max-pixels, descriptors of patches on a dense grid
at several scales are computed. --samples of them, the same number from every image, are projected
by PCA, and the vocabulary is learned from these: Gaussians for Fisher Vectors (also good for bov,
llc, vlad and sv), kmeans for the rest of them, a dictionary for sparse coding, random projections
of the descriptors (fourier) for EMK.

Array files (.npy, .npz, .safetensors) hold descriptors made elsewhere, such as the tokens of a ViT:
one file per image, patches x dimensions. They are read with --descriptor external, which is the
default if all inputs are such files.

The memory it takes does not depend on the number of images. A run that was interrupted, or killed,
is resumed when the same command is given again, and gives the same bytes. Bad images are listed,
and do not stop the others.

A flag that does not go with the chosen --kind or --descriptor is an error; in a file of options it
is not, so that one file can serve several.

Examples:
  # A vocabulary for Fisher Vectors from all images below a folder.
  alcedo learn photos/ --gaussians 256 -o vocabulary.safetensors
  # RootSIFT, PCA to 80 dimensions, k-means for VLAD.
  alcedo learn photos/ --kind kmeans --clusters 64 --sift-root --pca-dimensions 80 -o k.safetensors
  # Tokens of a network, one .npy per image, as they are.
  alcedo learn tokens/ --pca-dimensions 0 --gaussians 64 -o tokens.safetensors
  # Options as a file.
  alcedo learn --gaussians 64 --dump-config > learn.toml
  alcedo learn photos/ --config learn.toml --seed 7 -o vocabulary.safetensors

Exit codes:
  0    the vocabulary was written
  1    an error, in one sentence on standard error; no vocabulary was written
  2    a mistake in the command line
  3    the vocabulary was written, but some images were bad: they are listed on standard error
  130  interrupted; the same command resumes it
)";

FlagPlace PlaceOfLearnFlag(std::string_view section, std::string_view field) {
  if (field == "vlad_rotations") return OnlyFor("kind", "kmeans");
  if (section.empty()) return {"What is learned"};
  if (section == "pca") return {"Projection"};
  if (const auto place = PlaceInSet<DescriptorChoice>("descriptor", section)) return *place;
  if (const auto place = PlaceInSet<VocabularyOptions>("kind", section)) return *place;
  return {"Images and patches", "descriptor", NamesBut<DescriptorChoice, ExternalOptions>()};
}

struct LearnRequest {
  LearnConfig config;
  RunOptions run;
  double max_memory = 1024;  // MiB
  std::string work;          // folder
};

// Defaults are those of `config`.
class LearnArguments {
 public:
  explicit LearnArguments(const LearnConfig& config)
      : app("alcedo learn", "Learns a vocabulary from images, or from descriptors made elsewhere.",
            kLearnFooter) {
    request.config = config;
    AddInputOptions(app, request.run, "the vocabulary, a .safetensors file; required");
    flags_ = AddConfigFlags(app, request.config, PlaceOfLearnFlag);
    AddRunOptions(app, request.run);
    app.Add("--max-memory", "MIB",
            fmt::format("memory for samples; more are read from the disk (default {})",
                        request.max_memory),
            [this](const std::string& text) {
              request.max_memory = ParseDouble("--max-memory", text);
              RequireUsage(request.max_memory > 0,
                           fmt::format("--max-memory must be > 0, got {}", text));
            });
    app.Add("--work", "FOLDER",
            "where an interrupted run finds what it did; removed at the end (default: the output "
            "with .work behind it)",
            request.work);
  }

  // False if --help was asked for and given.
  bool Parse(const Words& args) {
    if (!app.Parse(args)) return false;
    CheckRunOptions(request.run, "learn", "vocabulary.safetensors");
    if (!request.run.dump_config.empty()) return true;
    CheckSafetensorsOutput(request.run.output, "a vocabulary");
    RefuseStdout("--work", request.work, "a folder");
    if (request.work.empty()) request.work = request.run.output + ".work";
    return true;
  }
  void CheckPlacesOf(const LearnConfig& config) const { CheckPlaces(app, flags_, ToJson(config)); }

  App app;
  LearnRequest request;

 private:
  std::vector<PlacedFlag> flags_;
};

void PrintSummary(const LearnRequest& request, const Vocabulary& vocabulary, std::int64_t bytes,
                  double seconds) {
  const TrainingRecord& training = vocabulary.training;
  PrintLine(fmt::format("{} from {} samples of {} images in {}", WordsText(vocabulary),
                        Thousands(training.samples), Thousands(training.images),
                        Duration(seconds)));
  std::string line = DescriptorText(vocabulary);
  if (!vocabulary.config.describe.descriptor.Is<ExternalOptions>()) {
    const int max_pixels = vocabulary.config.describe.image.max_pixels;
    line += max_pixels > 0
                ? fmt::format(", images of at most {} pixels (--max-pixels)", Thousands(max_pixels))
                : ", images at their full size (--max-pixels 0)";
  }
  PrintLine(line);
  const std::string training_line = TrainingText(vocabulary);
  if (!training_line.empty()) PrintLine(training_line);
  PrintLine(fmt::format("wrote {}, {}", request.run.output, FileSize(bytes)));
  const std::int64_t gaussians = vocabulary.config.kind.Get<GmmOptions>().gaussians;
  if (vocabulary.config.kind.Is<GmmOptions>() &&
      training.samples < kSamplesPerGaussian * gaussians) {
    PrintLine(fmt::format(
        "note: {} samples for {} Gaussians are few; at least {} for each are common (--gaussians)",
        Thousands(training.samples), Thousands(gaussians), kSamplesPerGaussian));
  }
}

int LearnTo(const LearnRequest& request, const ImageList& images) {
  const std::string& output = request.run.output;
  const std::string failures_file = output + ".failures.csv";
  CheckImagePaths(images, {{"--config", request.run.config}, {"--list", request.run.images.list}},
                  {{"--output", output}, {"--work", request.work}});
  CheckParent(output);
  CheckParent(request.work);
  LongRun long_run(request.run.threads, request.run.quiet, true, [](const Progress& progress) {
    return fmt::format("alcedo: interrupted while {}; run the same command again to resume",
                       progress.stage.empty() ? "starting" : "at " + progress.stage);
  });
  LearnRun run{long_run.MakeRun()};
  run.work = request.work;
  run.max_memory = request.max_memory;
  const LearnResult result = Learn(images.images, request.config, run);
  long_run.line().Clear();
  const std::string bytes = VocabularyBytes(result.vocabulary);
  long_run.Write([&] {
    WriteFailures(failures_file, result.failures);
    WriteWholeFile(output, bytes);
    RemoveWorkFolder(request.work);
  });
  if (!request.run.quiet) {
    PrintSummary(request, result.vocabulary, static_cast<std::int64_t>(bytes.size()),
                 long_run.seconds());
    PrintNotes(images.Notes());
  }
  PrintFailures(result.failures, images.images.size(), failures_file);
  return result.failures.empty() ? kOk : kSomeSkipped;
}

}  // namespace

// Flags over the file of --config over defaults; then the run.
int LearnCommand(const Words& args) {
  // Once to find --config, and once more with its values in the place of the defaults.
  LearnArguments first({});
  if (!first.Parse(args)) return kOk;
  LearnConfig initial;
  const std::string& file = first.request.run.config;
  const Json from_file = file.empty() ? Json::object() : ReadConfigFile(file);
  UpdateFromJson(initial, from_file, file);
  LearnArguments arguments(initial);
  arguments.Parse(args);

  LearnRequest& request = arguments.request;
  ImageList images;
  if (!request.run.images.empty()) {
    DescriptorChoice& descriptor = request.config.describe.descriptor;
    const bool given = arguments.app.Given("--descriptor") || from_file.contains("descriptor");
    images = ReadImageList(request.run.images, {request.run.output, request.work},
                           given ? std::optional(descriptor.Is<ExternalOptions>()) : std::nullopt);
    if (images.arrays) descriptor.Choose<ExternalOptions>();
  }
  arguments.CheckPlacesOf(request.config);
  if (!request.run.dump_config.empty()) {
    WriteStdout(ConfigText(request.run, ToToml(request.config), ToJson(request.config)));
    return kOk;
  }
  CheckConfig({arguments.app, file, from_file}, [&] {
    CheckRoomForPatches(request.config.describe);
    Check(request.config);
  });
  return LearnTo(request, images);
}

}  // namespace alcedo::cli
