#include "alcedo/cli/weights_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "alcedo/base/parallel.h"
#include "alcedo/cli/check_options.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/failure_lines.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/output.h"
#include "alcedo/cli/progress.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/text.h"
#include "alcedo/cli/vocabulary_text.h"
#include "alcedo/cli/weights_arguments.h"
#include "alcedo/cli/weights_image.h"
#include "alcedo/cli/weights_table.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPicturesPerSheet = 60;

// Where none is named, the one that comes along for the descriptor.
std::string VocabularyName(const WeightsArguments& arguments) {
  const EncodeConfig& config = arguments.job().config.encode;
  if (arguments.given("--vocabulary")) return config.vocabulary;
  return std::string(Name(config.describe.descriptor));
}

// The similarities of EMK are all positive, so that N patches weigh against lambda; those of others
// average out. With these the maps of photographs show the most.
double DefaultLambda(EncoderKind encoder) { return encoder == EncoderKind::kEmk ? 1000 : 10; }

Representer MakeReady(const Vocabulary& vocabulary, EncodeConfig config, const CLI::App& app) {
  if (config.lambdas.empty()) {
    config.lambdas = {DefaultLambda(config.encoder)};
    config.gmp.relative = true;
  }
  std::ranges::sort(config.lambdas);
  config.lambdas.erase(std::unique(config.lambdas.begin(), config.lambdas.end()),
                       config.lambdas.end());
  Representer representer;
  CheckConfig({app}, ToJson(config), [&] {
    CheckDescribeOptions(config.describe);
    representer = MakeRepresenter(vocabulary, config);
  });
  return representer;
}

// What the outputs of every picture are called: by its file, or where several have one name by
// their whole path.
std::vector<std::string> OutputNames(const std::vector<EncodeInput>& images) {
  std::map<std::string, int> count;
  const auto file = [](const EncodeInput& image) {
    return SafeFileName(fs::path(image.name).filename().string());
  };
  for (const EncodeInput& image : images) ++count[file(image)];
  std::vector<std::string> names;
  std::map<std::string, std::string> taken;
  for (const EncodeInput& image : images) {
    names.push_back(count[file(image)] == 1 ? file(image) : SafeFileName(image.name));
    const auto [other, is_new] = taken.emplace(names.back(), image.name);
    if (!is_new) {
      throw InvalidArgument(fmt::format("the maps of {} and {} would have the same name, {}",
                                        other->second, image.name, names.back()));
    }
  }
  return names;
}

ImageList ImagesWithBoxes(const Dataset& dataset) {
  ImageList list;
  list.several = true;
  for (const DatasetImage& image : dataset.images) {
    if (!image.boxes.empty()) list.images.push_back({image.path.string(), image.name});
  }
  if (list.images.empty()) {
    throw InvalidArgument(
        fmt::format("{} has no boxes; give pictures with --box or --boxes", dataset.title));
  }
  return list;
}

// What was done, in one line.
std::string DoneText(const WeightsJob& job, std::span<const WeightsOfImage> images) {
  LambdaRange lambda;
  Index pictures = 0, patches = 0;
  for (const WeightsOfImage& image : images) {
    if (!image.failure.empty()) continue;
    ++pictures;
    patches += image.patches;
    lambda.Add(image.lambda);
  }
  std::string written;
  for (const std::string& path : {job.output, job.json, job.csv}) {
    if (path.empty() || path == "-") continue;
    written += fmt::format("{}{}", written.empty() ? "wrote " : ", ", path);
  }
  const std::string range = lambda.Text();
  return fmt::format("{}{}weights of {} patches of {} {}{}{}", written, written.empty() ? "" : ": ",
                     Thousands(patches), Thousands(pictures),
                     pictures == 1 ? "picture" : "pictures", range.empty() ? "" : ", ", range);
}

class WeightsTask {
 public:
  WeightsTask(const WeightsJob& job, const Representer& representer, const WeightsRegions& regions,
              const ImageList& images)
      : job_(job),
        representer_(representer),
        regions_(regions),
        images_(images.images),
        several_(images.several),
        names_(OutputNames(images_)),
        progress_(static_cast<Index>(images_.size()), job.quiet, "pictures"),
        interrupts_([this] {
          progress_.Clear();
          return fmt::format("alcedo: interrupted with {} of {} pictures done", progress_.done(),
                             progress_.total());
        }) {}

  int Run(const std::string& vocabulary_checksum);

 private:
  void MakeFolder() const;
  void Write(std::size_t number, WeightsOfImage& image);
  void WriteSheet();

  const WeightsJob& job_;
  const Representer& representer_;
  const WeightsRegions& regions_;
  const std::vector<EncodeInput>& images_;
  const bool several_;
  const std::vector<std::string> names_;
  ProgressMeter progress_;
  Interrupts interrupts_;
  ContactSheet sheet_;
  int sheets_ = 0;
};

// Made when there is something to put into it.
void WeightsTask::MakeFolder() const {
  if (job_.one_figure()) return;
  std::error_code error;
  fs::create_directories(job_.output, error);
  if (!error) return;
  throw IoError(fmt::format("cannot make the folder {}: {}", job_.output, error.message()));
}

void WeightsTask::Write(std::size_t number, WeightsOfImage& image) {
  if (!image.files.empty()) {
    const Interrupts::Writing writing(interrupts_);
    MakeFolder();
    FileBatch files;
    for (const auto& [suffix, bytes] : image.files) {
      const fs::path path = job_.one_figure() ? fs::path(job_.output)
                                              : fs::path(job_.output) / (names_[number] + suffix);
      files.Add(path.string(), bytes);
    }
    files.Commit();
  }
  if (image.panels && several_ && !job_.one_figure()) sheet_.Add(*image.panels);
  image.files.clear();
  image.panels.reset();
  if (sheet_.size() == kPicturesPerSheet) WriteSheet();
}

void WeightsTask::WriteSheet() {
  if (sheet_.size() == 0) return;
  ++sheets_;
  const std::string name = images_.size() <= kPicturesPerSheet
                               ? "contact_sheet.png"
                               : fmt::format("contact_sheet-{:03}.png", sheets_);
  const Interrupts::Writing writing(interrupts_);
  WriteWholeFile(fs::path(job_.output) / name, PngBytes(sheet_.Draw()));
  sheet_ = {};
}

int WeightsTask::Run(const std::string& vocabulary_checksum) {
  std::vector<WeightsOfImage> all;
  std::vector<BadImage> bad;
  const auto total = static_cast<Index>(images_.size());
  // As many pictures in memory as threads.
  for (Index begin = 0; begin < total; begin += job_.threads) {
    const Index count = std::min<Index>(job_.threads, total - begin);
    std::vector<WeightsOfImage> batch(static_cast<std::size_t>(count));
    const int inner_threads = count == 1 ? job_.threads : 1;
    ParallelFor(count, job_.threads, [&](Index i) {
      batch[i] = WeighImage(job_, representer_, regions_, images_[begin + i], inner_threads);
      progress_.Advance();
    });
    for (Index i = 0; i < count; ++i) {
      WeightsOfImage& image = batch[i];
      if (!image.failure.empty()) {
        image.failure = WithConfigFlags(image.failure, ToJson(representer_.config));
        bad.push_back({image.name, image.failure});
      } else {
        Write(static_cast<std::size_t>(begin + i), image);
      }
      all.push_back(std::move(image));
    }
  }
  WriteSheet();
  progress_.Clear();
  if (!several_ && !bad.empty()) throw InvalidArgument(Sentence(bad[0]));
  WeightsConfig used = job_.config;
  used.encode = representer_.config;
  FileBatch files;
  {
    const Interrupts::Writing writing(interrupts_);
    if (!job_.json.empty()) files.Add(job_.json, WeightsJson(used, vocabulary_checksum, all));
    if (!job_.csv.empty()) files.Add(job_.csv, WeightsCsv(used.encode, all));
    files.Commit();
  }
  files.Print();
  // Where a program reads what is printed, nothing else is.
  const bool for_program = job_.json == "-" || job_.csv == "-";
  if (!job_.quiet) {
    if (!for_program && job_.has_region() && bad.size() < all.size())
      WriteStdout(WeightsText(used.encode, all));
    if (bad.size() < all.size()) PrintLine(DoneText(job_, all));
    for (const WeightsOfImage& image : all) {
      for (const std::string& line : image.warnings) PrintLine("alcedo: warning: " + line);
    }
  }
  PrintBadImages(bad, all.size(), job_.json == "-" ? "" : job_.json);
  if (bad.size() == all.size()) return kFailed;
  return bad.empty() ? kOk : kSomeSkipped;
}

}  // namespace

int WeightsCommand(const std::vector<std::string>& args) {
  // Once to find --vocabulary, and once more with its options in the place of the defaults.
  WeightsArguments first;
  if (!first.Parse(args)) return kOk;
  WeightsConfig initial = WeightsArguments::Defaults();
  initial.encode.vocabulary = VocabularyName(first);
  RequireUsage(initial.encode.vocabulary != "external",
               "weights are those of patches of pictures: --descriptor is sift or color");
  const NamedVocabulary vocabulary = OpenVocabulary(initial.encode.vocabulary);
  initial.encode.describe = vocabulary.vocabulary.config.describe;
  WeightsArguments arguments(initial);
  arguments.Parse(args);
  arguments.CheckFlags();
  const WeightsJob& job = arguments.job();
  const Representer representer =
      MakeReady(vocabulary.vocabulary, job.config.encode, arguments.app());
  if (representer.config.describe.descriptor == DescriptorKind::kExternal) {
    throw InvalidArgument(
        fmt::format("the vocabulary {} was learned from arrays, and weights are drawn on pictures",
                    job.config.encode.vocabulary));
  }

  std::optional<Dataset> dataset;
  if (!job.dataset.empty()) dataset = ReadDataset(job.dataset);
  const ImageList images =
      dataset ? ImagesWithBoxes(*dataset)
              : ListImages({job.inputs, job.list, {job.output}}, DescriptorKind::kColor);
  RequireUsage(
      !job.one_figure() || (!images.several && images.images.size() == 1),
      fmt::format("{} is the figure of one picture; give a folder for several", job.output));
  std::vector<NamedPath> written,
      read{{"--list", job.list}, {"--boxes", job.boxes}, {"--mask", job.mask}};
  std::error_code ignored;
  if (fs::exists(job.config.encode.vocabulary, ignored)) {
    read.push_back({"--vocabulary", job.config.encode.vocabulary});
  }
  for (const NamedPath& path : {NamedPath{"--output", job.output}, NamedPath{"--json", job.json},
                                NamedPath{"--csv", job.csv}}) {
    if (path.path.empty()) continue;
    written.push_back(path);
    if (path.option != "--output" || job.one_figure()) CheckParent(path.path.string());
  }
  CheckImagePaths(images, read, written);
  const WeightsRegions regions = dataset ? WeightsRegions(job, *dataset) : WeightsRegions(job);
  regions.CheckNames(images.images);
  WeightsTask task(job, representer, regions, images);
  const int exit_code = task.Run(vocabulary.checksum);
  PrintLeftOut(images, job.quiet);
  return exit_code;
}

}  // namespace alcedo::cli
