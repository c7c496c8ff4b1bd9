#include "alcedo/cli/encode_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <unordered_set>

#include "alcedo/base/for_each_input.h"
#include "alcedo/base/utf8.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/config/field_json.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/files/failure_list.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kEncodeFooter =
    R"(Descriptors of patches on a dense grid are projected, encoded with the vocabulary,
pooled, and normalised. Images are scaled down to at most --max-pixels first, as the vocabulary
was learned. Without --lambda, gmp takes 1 relative to the mean squared norm of the encodings;
--lambda 100 is absolute, as in the paper, unless --lambda-relative is given too.

A vocabulary that was learned from array files encodes array files (.npy, .npz, .safetensors):
descriptors made elsewhere, patches x dimensions, one file per image. An array of N x 2 positions
beside them, in [0, 1], makes pyramids possible.

Options come from the flags, then the --config file, then (for images and patches) the vocabulary,
then the defaults. A flag that does not go with the chosen encoder, pooling or descriptor is an
error; in a file it is not, so that one file can serve several.

Shapes: one image gives (D,), and with L lambdas (L, D); several, a folder and a list give (n, D)
or (n, L, D). D is the dimension of the encoding times the cells of the pyramid.

OUT.npy comes with OUT.npy.json, which holds all options, the checksum of the vocabulary and the bad
images, and if there are several with OUT.npy.names.txt, one name a line. OUT.safetensors has all
that in its metadata. An image is called as it was given, a file of a folder by its path in there.

A feature store is a folder of .npy shards with an index. It is never half written: a run that was
interrupted, or killed, is resumed when the same command is given again, new images are added, and
those that are done, with the contents they have now, are skipped. Shards are checked against their
checksums before that, and damaged ones are made again. Bad images are in failures.csv. A store
holds one set of options, and refuses others.

Examples:
  # One image, with the bundled vocabulary.
  alcedo encode photo.jpg -o photo.npy
  # A folder into a store: GMP Fisher Vectors in the paper's pyramid, power- and L2-normalised.
  alcedo encode photos/ -o features/ --pyramid 1,3x1 --power 0.5 --l2
  # Several lambdas at once, soft assignment, a vocabulary of your own.
  alcedo encode photos/ --vocabulary v.safetensors --fv-assignment soft --lambda 10,100 -o f.npy
  # Tokens of a network, with the vocabulary that was learned from such.
  alcedo encode tokens/ --vocabulary tokens.safetensors -o features/
  # Options as a file.
  alcedo encode --pooling sum --power 0.5 --l2 --dump-config > sum.toml
  alcedo encode photos/ --config sum.toml -o sum/

Exit codes:
  0    all images were encoded
  1    an error, in one sentence on standard error; no output file, only whole files in a folder
  2    a mistake in the command line
  3    some images were bad: they are listed on standard error, all good ones were written
  130  interrupted; a store has all shards so far, and the same command resumes it
)";

constexpr int kMaxImagesPerShard = 1000000;
// Vectors in memory before they go to the disk, if no store says how many.
constexpr Index kGroup = 16;

FlagPlace PlaceOfEncodeFlag(std::string_view section, std::string_view field) {
  if (section.empty()) {
    if (field == "lambda") return OnlyFor("pooling", "gmp");
    if (field == "power" || field == "block_l2" || field == "l2") {
      return {"Normalisation (in this order)"};
    }
    if (field == "pooling" || field == "pyramid") return {"Pooling"};
    return field == "dtype" ? FlagPlace{"Output"} : FlagPlace{"Encoding"};
  }
  if (const auto place = PlaceInSet<DescriptorChoice>("descriptor", section)) return *place;
  if (const auto place = PlaceInSet<EncoderOptions>("encoder", section)) return *place;
  if (const auto place = PlaceInSet<PoolingChoice>("pooling", section)) return *place;
  return {"Images and patches (by default as the vocabulary was learned)", "descriptor",
          NamesBut<DescriptorChoice, ExternalOptions>()};
}

// Nothing: a feature store.
std::optional<VectorForm> FormOf(const std::string& output) {
  RefuseStdout("--output", output,
               "a .npy or .safetensors file with others beside it, or a folder");
  std::error_code ignored;
  if (output.ends_with("/") || fs::is_directory(output, ignored)) return std::nullopt;
  if (output.ends_with(".npy")) return VectorForm::kNpy;
  if (output.ends_with(".safetensors")) return VectorForm::kSafetensors;
  RequireUsage(!fs::is_regular_file(output, ignored),
               fmt::format("output '{}' is a file; its name must end in .npy or .safetensors, or "
                           "be that of a folder",
                           output));
  RequireUsage(
      !fs::path(output).has_extension(),
      fmt::format("output '{}' must end in .npy or .safetensors, or in / for a folder", output));
  return std::nullopt;
}

// If none is named, the bundled one for the descriptor.
std::string VocabularyName(const EncodeConfig& flags, const App& app, const Json& file,
                           const EncodeConfig& from_file) {
  if (app.Given("--vocabulary")) return flags.vocabulary;
  if (file.contains("vocabulary")) return from_file.vocabulary;
  const DescriptorChoice& descriptor =
      (app.Given("--descriptor") ? flags : from_file).describe.descriptor;
  return descriptor.Is<ColorOptions>() ? "color" : from_file.vocabulary;
}

// An encoder that auto stood for checks its fields now; that the vocabulary is of another kind is
// not a mistake in the command line.
Channel MakeChannel(const ConfigOrigin& origin, const Vocabulary& vocabulary,
                    const EncodeConfig& config) {
  try {
    return Channel(vocabulary, config);
  } catch (const InvalidArgument& error) {
    if (error.option().find('.') == std::string::npos) throw;
    CheckConfig(origin, [&] { throw error; });
    throw;
  }
}

// What became of all images of a run, in numbers and sentences.
class EncodeTotals {
 public:
  explicit EncodeTotals(const Channel& channel) : channel_(channel) {}

  void Add(const Input& input, const EncodedFile& file);
  // What to tell after a run over images that took so long: how many, of what size, scaled how far,
  // with which lambdas.
  std::vector<std::string> Summary(double seconds) const;
  // Whether there are images, and not one of them has a patch.
  bool AllWithoutPatches() const { return good_ > 0 && without_patches_ == good_; }
  // What somebody should know: solvers that stopped early, images without patches.
  std::vector<std::string> Warnings() const;

 private:
  void AddSolves(const Input& input, const std::vector<SolveReport>& solves);
  std::string SizeText() const;

  const Channel& channel_;
  Index good_ = 0;
  Index patches_ = 0;
  Index scaled_ = 0;
  Index without_patches_ = 0;
  double dropped_ = 0;  // posterior mass, over all patches
  std::vector<LambdaRange> lambdas_;
  Index unconverged_ = 0;
  std::string first_unconverged_;
  std::string last_name_;
  DescribeReport last_image_;
};

void EncodeTotals::AddSolves(const Input& input, const std::vector<SolveReport>& solves) {
  const std::size_t count = channel_.config().lambdas.size();
  bool converged = true;
  for (std::size_t i = 0; i < solves.size(); ++i) {
    if (converged && !solves[i].converged && unconverged_ == 0) {
      first_unconverged_ =
          fmt::format("{}: {}{}", input.name, solves[i].reason, Advice(solves[i].hint));
    }
    converged = converged && solves[i].converged;
    if (count == 0) continue;
    lambdas_.resize(count);
    lambdas_[i % count].Add(solves[i].lambda, solves[i].lambda_relative);
  }
  if (!converged) ++unconverged_;
}

void EncodeTotals::Add(const Input& input, const EncodedFile& file) {
  if (!file.failure.empty()) return;
  const ChannelVectors& vectors = file.vectors.channels[0];
  const DescribeReport& size = file.vectors.image;
  ++good_;
  patches_ += vectors.patches;
  if (size.width != size.original_width || size.height != size.original_height) ++scaled_;
  if (vectors.patches == 0) ++without_patches_;
  dropped_ += vectors.dropped_posterior * static_cast<double>(vectors.patches);
  AddSolves(input, vectors.reports);
  last_name_ = input.name;
  last_image_ = size;
}

std::string EncodeTotals::SizeText() const {
  const EncodeConfig& config = channel_.config();
  if (config.describe.descriptor.Is<ExternalOptions>()) return "";
  const int max_pixels = config.describe.image.max_pixels;
  if (good_ == 1) {
    const std::string size =
        fmt::format("{} x {}", last_image_.original_width, last_image_.original_height);
    if (scaled_ == 0) return size;
    return fmt::format("{} scaled to {} x {} (--max-pixels {})", size, last_image_.width,
                       last_image_.height, max_pixels);
  }
  if (max_pixels == 0) return "no image was scaled down (--max-pixels 0)";
  return fmt::format("{} of them were scaled down to at most {} pixels (--max-pixels)",
                     scaled_ == 0 ? "none" : Thousands(scaled_), Thousands(max_pixels));
}

std::vector<std::string> EncodeTotals::Summary(double seconds) const {
  if (good_ == 0) return {};
  const std::string size = SizeText();
  std::vector<std::string> lines;
  if (good_ == 1) {
    lines.push_back(fmt::format("{}: {}{}{} patches", last_name_, size, size.empty() ? "" : ", ",
                                Thousands(patches_)));
  } else {
    lines.push_back(fmt::format(
        "{} images in {}, {:.1f} images/s, {} patches", Thousands(good_), Duration(seconds),
        static_cast<double>(good_) / std::max(seconds, 1e-9), Thousands(patches_)));
    if (!size.empty()) lines.push_back(size);
  }
  const EncodeConfig& config = channel_.config();
  const std::size_t count = config.lambdas.size();
  lines.push_back(fmt::format("{}{} of {} dimensions, encoder {}, pooling {}",
                              count > 1 ? fmt::format("{} vectors", count) : "one vector",
                              good_ > 1 ? " per image" : "", Thousands(channel_.dimension()),
                              config.encoder.name(), config.pooling.name()));
  for (const LambdaRange& lambda : lambdas_) lines.push_back(lambda.Text());
  const FisherOptions& fisher = config.encoder.Get<FisherOptions>();
  if (config.encoder.Is<FisherOptions>() && fisher.assignment == FisherAssignment::kSoft &&
      patches_ > 0) {
    lines.push_back(
        fmt::format("{:.3g} of the posterior mass was below --fv-posterior-threshold {}",
                    dropped_ / static_cast<double>(patches_), fisher.posterior_threshold));
  }
  return lines;
}

std::vector<std::string> EncodeTotals::Warnings() const {
  std::vector<std::string> lines;
  if (without_patches_ > 0) {
    lines.push_back(
        fmt::format("{} of the images have no patches: their vectors are zero", without_patches_));
  }
  if (unconverged_ > 0) {
    lines.push_back(fmt::format("{} of {} images did not converge, first {}", unconverged_, good_,
                                first_unconverged_));
  }
  return lines;
}

class EncodeTask {
 public:
  EncodeTask(const EncodeRequest& request, const ImageEncoder& encoder, const std::string& checksum,
             const ImageList& images)
      : request_(request),
        encoder_(encoder),
        channel_(encoder.channels()[0]),
        checksum_(checksum),
        inputs_(images.images),
        several_(images.several),
        totals_(channel_) {}

  int ToFile();
  int ToStore();

 private:
  // What a store must have in common with this run to be resumed.
  StoreHeader Header() const;
  void Count(std::span<const Index> which, std::span<EncodedFile> files);
  // Of the inputs of this run; a store may have others.
  std::vector<Failure> FailuresOf(const FeatureStore& store) const;
  // What is wrong if not one image has a patch; "" if one has.
  std::string WithoutPatches() const;
  void PrintSummary(double seconds, const std::string& written) const;

  const EncodeRequest& request_;
  const ImageEncoder& encoder_;
  const Channel& channel_;
  const std::string& checksum_;
  const std::vector<Input>& inputs_;
  const bool several_;
  EncodeTotals totals_;
};

StoreHeader EncodeTask::Header() const {
  Json config = ToJson(channel_.config());
  // The folder that a vocabulary lies in changes nothing; what it holds is told by its checksum.
  config["vocabulary"] =
      internal::EscapeText(fs::path(channel_.config().vocabulary).filename().string());
  return {Dump({{"config", std::move(config)}, {"vocabulary_checksum", checksum_}}),
          ValueShape(channel_), channel_.config().dtype, request_.images_per_shard};
}

void EncodeTask::Count(std::span<const Index> which, std::span<EncodedFile> files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    totals_.Add(inputs_[static_cast<std::size_t>(which[i])], files[i]);
  }
}

std::vector<Failure> EncodeTask::FailuresOf(const FeatureStore& store) const {
  std::unordered_set<std::string_view> names;
  for (const Input& input : inputs_) names.insert(input.name);
  std::vector<Failure> failures;
  for (const Failure& failure : store.Failures()) {
    if (names.contains(failure.name)) failures.push_back(failure);
  }
  return failures;
}

std::string EncodeTask::WithoutPatches() const {
  const DescribeOptions& describe = channel_.config().describe;
  if (describe.descriptor.Is<ExternalOptions>() || !totals_.AllWithoutPatches()) return "";
  return fmt::format(
      "no image has room for a patch of {} x {} pixels (--patch){}: all vectors are zero",
      describe.grid.patch, describe.grid.patch,
      describe.image.max_pixels > 0
          ? fmt::format(", scaled down to at most {} pixels (--max-pixels)",
                        describe.image.max_pixels)
          : "");
}

void EncodeTask::PrintSummary(double seconds, const std::string& written) const {
  if (request_.run.quiet) return;
  // A store has them already: said before everything else.
  const std::string void_result = WithoutPatches();
  if (!void_result.empty()) PrintWarnings({void_result});
  for (const std::string& line : totals_.Summary(seconds)) PrintLine(line);
  PrintLine(written);
  if (void_result.empty()) PrintWarnings(totals_.Warnings());
}

int EncodeTask::ToFile() {
  const std::string& output = request_.run.output;
  CheckParent(output);
  Hint hint;  // of the last bad image
  VectorsHeader header;
  header.config = Dump(ToJson(channel_.config()));
  header.vocabulary_checksum = checksum_;
  header.several = several_;
  header.shape = ValueShape(channel_);
  header.type = channel_.config().dtype;
  header.seed = channel_.config().seed;

  LongRun long_run(request_.run.threads, request_.run.quiet, false, [](const Progress&) {
    return std::string("alcedo: interrupted, nothing was written; a folder can be resumed");
  });
  Spill values(output);
  const auto total = static_cast<Index>(inputs_.size());
  Progress progress{"", 0, total, 0, "images"};
  EncodeFiles(encoder_, inputs_, AllNumbers(total), kGroup, long_run.MakeRun(), progress,
              [&](std::span<const Index> which, std::span<EncodedFile> files) {
                Count(which, files);
                for (std::size_t i = 0; i < files.size(); ++i) {
                  const std::string& name = inputs_[static_cast<std::size_t>(which[i])].name;
                  if (files[i].failure.empty()) {
                    header.names.push_back(name);
                    values.Append(ValueBytes(files[i].vectors.channels[0].values, header.type));
                  } else {
                    header.failures.push_back({name, files[i].failure});
                    hint = files[i].hint;
                  }
                }
              });
  long_run.line().Clear();
  const std::vector<Failure>& failures = header.failures;
  if (!several_ && !failures.empty()) {
    throw FileError(failures[0].name, failures[0].reason, hint);
  }
  if (const std::string why = WithoutPatches(); !why.empty()) {
    throw Error(why + ", and nothing was written");
  }
  if (header.names.empty()) {
    PrintSummary(long_run.seconds(), "nothing was written: no image could be encoded");
    PrintFailures(failures, inputs_.size(), "");
    return kFailed;
  }
  long_run.Write([&] { WriteVectors(output, *request_.form, header, values); });
  PrintSummary(long_run.seconds(), "wrote " + output);
  PrintFailures(failures, inputs_.size(),
                request_.form == VectorForm::kNpy ? output + ".json" : output);
  return failures.empty() ? kOk : kSomeSkipped;
}

int EncodeTask::ToStore() {
  const std::string& output = request_.run.output;
  const auto total = static_cast<Index>(inputs_.size());
  std::atomic<Index> stored = 0;
  LongRun long_run(request_.run.threads, request_.run.quiet, false, [&](const Progress&) {
    return fmt::format(
        "alcedo: interrupted with {} of {} images stored; run the same command again to resume",
        stored, total);
  });
  std::optional<FeatureStore> store;
  long_run.Write([&] { store.emplace(FeatureStore::OpenToAppend(output, Header())); });
  const ChannelStores stores{&*store};
  const Run run = long_run.MakeRun();
  Progress lookup{"lookup", 0, total, 0, "images looked up"};
  const std::vector<std::vector<Index>> to_do = FilesToDo(encoder_, inputs_, stores, run, lookup);
  const Index before = total - static_cast<Index>(to_do[0].size());
  stored = before;
  Progress progress{"", before, total, before, "images"};
  EncodeToStores(encoder_, inputs_, to_do, stores, run, progress,
                 [&](std::span<const Index> group, std::span<EncodedFile> files) {
                   stored += static_cast<Index>(files.size());
                   Count(group, files);
                 });
  long_run.line().Clear();
  const std::vector<Failure> failures = FailuresOf(*store);
  PrintSummary(
      long_run.seconds(),
      fmt::format("{}{} holds {} {} in {} {}",
                  before > 0 ? fmt::format("{} {} done before; ", Thousands(before),
                                           before == 1 ? "image was" : "images were")
                             : "",
                  output, Thousands(store->size()), store->size() == 1 ? "vector" : "vectors",
                  Thousands(store->shards()), store->shards() == 1 ? "shard" : "shards"));
  PrintFailures(failures, inputs_.size(), (fs::path(output) / "failures.csv").string());
  return failures.empty() ? kOk : kSomeSkipped;
}

// Refuses to write over what is read.
void CheckOutputs(const EncodeRequest& request, const ImageList& images) {
  std::vector<NamedPath> written;
  if (request.form) {
    for (const std::string& file : VectorFiles(request.run.output, *request.form, images.several)) {
      written.push_back({"--output", file});
    }
  } else {
    written.push_back({"--output", request.run.output});
  }
  std::vector<NamedPath> more{{"--config", request.run.config},
                              {"--list", request.run.images.list}};
  std::error_code ignored;
  if (fs::exists(request.config.vocabulary, ignored)) {
    more.push_back({"--vocabulary", request.config.vocabulary});
  }
  CheckImagePaths(images, more, written);
}

}  // namespace

EncodeArguments::EncodeArguments(const EncodeConfig& config)
    : app_("alcedo encode",
           "Encodes images, or descriptors made elsewhere: one vector for each image.",
           kEncodeFooter) {
  request_.config = config;
  AddInputOptions(app_, request_.run,
                  "a .npy or .safetensors file, or a folder (ends with /, exists as one, or has no "
                  "extension): a resumable feature store; required");
  flags_ = AddConfigFlags(app_, request_.config, PlaceOfEncodeFlag);
  app_.Group("Output");
  app_.Add(
      "--images-per-shard", "INTEGER",
      fmt::format("images in one file of a feature store (default {})", request_.images_per_shard),
      [this](const std::string& text) {
        request_.images_per_shard = ParseInt("--images-per-shard", text);
        RequireUsage(
            request_.images_per_shard >= 1 && request_.images_per_shard <= kMaxImagesPerShard,
            fmt::format("--images-per-shard must be in [1, {}], got {}", kMaxImagesPerShard, text));
      });
  AddRunOptions(app_, request_.run);
}

bool EncodeArguments::Parse(const std::vector<std::string>& args) {
  if (!app_.Parse(args)) return false;
  CheckRunOptions(request_.run, "encode", "OUT.npy");
  if (!request_.run.dump_config.empty()) return true;
  request_.form = FormOf(request_.run.output);
  RequireUsage(!request_.form || !app_.Given("--images-per-shard"),
               "--images-per-shard goes with an output folder");
  return true;
}

void EncodeArguments::CheckFlags(const EncodeConfig& config) const {
  CheckPlaces(app_, flags_, ToJson(config));
}

// Flags over the file of --config over the vocabulary over defaults; then the run.
int EncodeCommand(const Words& args) {
  // Once to find --config and --vocabulary, and once more with theirs in the place of the defaults.
  EncodeArguments first;
  if (!first.Parse(args)) return kOk;
  const std::string& file = first.request().run.config;
  const Json from_file = file.empty() ? Json::object() : ReadConfigFile(file);
  EncodeConfig initial;
  UpdateFromJson(initial, from_file, file);
  initial.vocabulary = VocabularyName(first.request().config, first.app(), from_file, initial);
  const NamedVocabulary vocabulary = OpenVocabulary(initial.vocabulary);
  initial.describe = vocabulary.vocabulary.config.describe;
  UpdateFromJson(initial, from_file, file);
  EncodeArguments arguments(initial);
  arguments.Parse(args);

  const EncodeRequest& request = arguments.request();
  arguments.CheckFlags(request.config);
  EncodeConfig config = request.config;
  // Lambdas of a file are for when the pooling is gmp.
  if (!config.pooling.Is<GmpOptions>()) config.lambdas.clear();
  const ConfigOrigin origin{arguments.app(), file, from_file};
  CheckConfig(origin, [&] {
    Check(config);
    CheckRoomForPatches(config.describe);
  });
  const ImageEncoder encoder({MakeChannel(origin, vocabulary.vocabulary, config)});
  const EncodeConfig& used = encoder.channels()[0].config();
  arguments.CheckFlags(used);
  if (!request.run.dump_config.empty()) {
    WriteStdout(ConfigText(request.run, ToToml(used), ToJson(used)));
    return kOk;
  }
  const ImageList images = ReadImageList(request.run.images, {request.run.output},
                                         config.describe.descriptor.Is<ExternalOptions>());
  CheckOutputs(request, images);
  EncodeTask task(request, encoder, vocabulary.checksum, images);
  const int exit_code = request.form ? task.ToFile() : task.ToStore();
  if (!request.run.quiet) PrintNotes(images.Notes());
  return exit_code;
}

}  // namespace alcedo::cli
