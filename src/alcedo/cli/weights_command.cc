// `alcedo weights`: GMP's weights as maps.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/paths.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/files/failure_list.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/image/write_image.h"
#include "alcedo/info/vocabulary_text.h"
#include "alcedo/weights/weigh_image.h"
#include "alcedo/weights/weights_table.h"

namespace alcedo::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kImagesPerSheet = 60;

constexpr const char* kWeightsFooter =
    R"(GMP is a weighted sum of the encodings of all patches. The map shows these weights: a pixel has the
sum of those of all patches over it. By default as in the paper's Figure 2: colour, EMK. Small
lambdas make rare patches count as much as frequent ones, large ones are sum pooling, whose weights
are all equal. Near the border lie fewer patches over a pixel; --map mean divides by their number.

OUT is a folder, or for one image a .png, the figure alone. A folder gets of every image X
  X.weights.png   original, map and weighted image side by side; several lambdas in columns
  X.map.png       the map alone (X.map-LAMBDA.png of several lambdas)
  X.map.npy       its values, float32, of the image's size (of several lambdas: one map each)
and contact_sheet.png, if there are several images. If a value is negative the colours go
from blue through white, which is zero, to red; otherwise from dark violet, zero, to yellow. On a
contact sheet all maps of a lambda have the colours that one of them needs.

With a box or a mask the share of the weight inside is printed, beside its share of the area and its
share of the map that equal weights give. It is that of the positive values of the map; --json and
--csv also have that of the absolute values. Boxes are in pixels of the image, turned upright.

Examples:
  # The paper's figure of one image.
  alcedo weights bird.jpg -o bird.png
  # From max-like to sum-like, for all images of a folder.
  alcedo weights photos/ --lambda 10,100,1000,10000 --lambda-relative -o maps/
  # Fisher Vectors of SIFT.
  alcedo weights bird.jpg --encoder fv --descriptor sift -o maps/
  # How much of the weight lies on the object.
  alcedo weights bird.jpg --box 120,80,200,150 -o maps/
  alcedo weights photos/ --boxes boxes.csv --json shares.json
  alcedo weights --dataset CUB_200_2011/ --csv shares.csv

Exit codes:
  0    all images were drawn
  1    an error, in one sentence on standard error; what is in the folder is whole
  2    a mistake in the command line
  3    some images were bad: they are listed on standard error, all others were drawn
  130  interrupted; what is in the folder is whole
)";

// What the maps depend on, the images aside: of the options of `encode` those that matter here.
struct WeightsConfig {
  EncodeConfig encode;
  MapRule map = MapRule::kSum;
};

template <class Visitor>
void VisitSections(WeightsConfig& c, Visitor&& section) {
  EncodeConfig& e = c.encode;
  section("", [&](auto&& visit) {
    visit("encoder", e.encoder, "how patches are encoded; auto: fv for a vocabulary of Gaussians");
    visit("descriptor", e.describe.descriptor, "what is computed of every patch");
    visit("vocabulary", e.vocabulary, "a vocabulary file, or sift or color: the bundled ones");
    visit(
        "lambda", e.lambdas,
        "regularisation of gmp, >= 0, absolute unless --lambda-relative; several give a map each, "
        "in increasing order (default relative, 1000 for emk and 10 for others)");
    visit("map", c.map,
          "the value of a pixel: the sum of the weights of all patches over it (Eq. 11), or their "
          "mean");
    visit("seed", e.seed, "of the random projections of emk");
  });
  section("gmp", [&](auto&& visit) { VisitFields(e.pooling.Get<GmpOptions>(), visit); });
  section("image", [&](auto&& visit) { VisitFields(e.describe.image, visit); });
  section("grid", [&](auto&& visit) { VisitFields(e.describe.grid, visit); });
  e.describe.descriptor.VisitSections(section);
  section("fv", [&](auto&& visit) { VisitFields(e.encoder.Get<FisherOptions>(), visit); });
  section("emk", [&](auto&& visit) { VisitFields(e.encoder.Get<EmkOptions>(), visit); });
}

// As in the paper's figure: EMK of colour.
WeightsConfig Defaults() {
  WeightsConfig config;
  config.encode.encoder.Choose<EmkOptions>();
  config.encode.describe.descriptor.Choose<ColorOptions>();
  config.encode.vocabulary = "color";
  return config;
}

FlagPlace PlaceOfWeightsFlag(std::string_view section, std::string_view field) {
  if (section.empty()) return {field == "map" ? "Map" : "Weights"};
  if (section == "gmp") return {"Weights"};
  if (const auto place = PlaceInSet<DescriptorChoice>("descriptor", section)) return *place;
  if (const auto place = PlaceInSet<EncoderOptions>("encoder", section)) return *place;
  return {"Images and patches (by default as the vocabulary was learned)"};
}

struct WeightsRequest {
  WeightsConfig config;
  ImageArguments images;
  std::string dataset;     // a folder with boxes, instead of inputs; "": none
  std::string output;      // a folder, or a .png for one image; "": no images
  std::optional<Box> box;  // of every image
  std::string boxes;       // a .csv; "": none
  std::string mask;        // an image; "": none
  std::string json, csv;   // files; "": none
  int threads = 1;
  bool quiet = false;

  bool has_region() const { return box || !boxes.empty() || !mask.empty() || !dataset.empty(); }
  bool one_figure() const { return output.ends_with(".png"); }
};

Box ParseBox(const std::string& text) {
  const std::vector<double> numbers = ParseDoubles("--box", text);
  RequireUsage(numbers.size() == 4,
               fmt::format("--box is x,y,width,height in pixels, got '{}'", text));
  RequireUsage(numbers[2] > 0 && numbers[3] > 0,
               fmt::format("--box must be wider and taller than 0, got '{}'", text));
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

// Defaults are those of `config`.
class WeightsArguments {
 public:
  explicit WeightsArguments(const WeightsConfig& config);

  // False if --help was asked for and given.
  bool Parse(const Words& args);
  // UsageError if a flag goes with another choice than the one that was made.
  void CheckPlacesOf() const { CheckPlaces(app, flags_, ToJson(request.config.encode)); }

  App app;
  WeightsRequest request;

 private:
  std::vector<PlacedFlag> flags_;
};

WeightsArguments::WeightsArguments(const WeightsConfig& config)
    : app("alcedo weights",
          "Draws GMP's weight of every patch of an image as a map (Figure 2 of the paper).",
          kWeightsFooter) {
  request.config = config;
  AddImages(app, request.images, "images, or folders of them with all folders in them");
  app.Add("--dataset", "FOLDER",
          "instead of IMAGES: all images with boxes of CUB, Pets or VOC 2007", request.dataset);
  app.Group("Output");
  app.Add("-o,--output", "PATH",
          "a folder, or a .png for the figure of one image; required, unless shares are asked for",
          request.output);
  app.Add("--json", "FILE",
          "shares and extremes of every map, and all options; - is standard output", request.json);
  app.Add("--csv", "FILE",
          "the same as a table, one line for each image and lambda; - is standard output",
          request.csv);
  app.Group("Share of the weight inside");
  app.Add("--box", "X,Y,W,H", "a box in every image, in pixels",
          [this](const std::string& text) { request.box = ParseBox(text); });
  app.Add("--boxes", "FILE",
          "boxes of images by name: a .csv with the columns image, x, y, width and height, in any "
          "order and among others",
          request.boxes);
  app.Add("--mask", "FILE", "an image of the same size, white inside", request.mask);
  flags_ = AddConfigFlags(app, request.config, PlaceOfWeightsFlag);
  AddRunning(app, request.threads, request.quiet,
             "no progress, no table, no summary and no warnings");
}

bool WeightsArguments::Parse(const Words& args) {
  if (!app.Parse(args)) return false;
  const std::string see = "(see 'alcedo weights --help')";
  const bool inputs = !request.images.empty();
  RequireUsage(inputs || !request.dataset.empty(), fmt::format("no IMAGES given {}", see));
  RequireUsage(!inputs || request.dataset.empty(), "--dataset stands instead of IMAGES");
  const auto regions =
      static_cast<int>(request.box.has_value()) + static_cast<int>(!request.boxes.empty()) +
      static_cast<int>(!request.mask.empty()) + static_cast<int>(!request.dataset.empty());
  RequireUsage(regions <= 1, "give one of --box, --boxes, --mask and --dataset");
  RequireUsage(!request.output.empty() || regions == 1,
               fmt::format("no output given: add -o OUT/ {}", see));
  RefuseStdout("--output", request.output, "a folder of images, or one image");
  const fs::path output(request.output);
  RequireUsage(request.one_figure() || request.output.empty() || !output.has_extension() ||
                   request.output.ends_with("/") || fs::is_directory(output),
               fmt::format("output '{}' must be a folder, or end in .png", request.output));
  return true;
}

// If none is named, the bundled one for the descriptor.
std::string VocabularyName(const WeightsArguments& arguments) {
  const EncodeConfig& config = arguments.request.config.encode;
  if (arguments.app.Given("--vocabulary")) return config.vocabulary;
  return std::string(config.describe.descriptor.name());
}

Channel MakeReady(const Vocabulary& vocabulary, EncodeConfig config, const App& app) {
  if (config.lambdas.empty()) {
    // The similarities of EMK are all positive, so that N patches weigh against lambda; those of
    // others average out. With these the maps of photographs show the most.
    config.lambdas = {config.encoder.Is<EmkOptions>() ? 1000.0 : 10.0};
    config.pooling.Get<GmpOptions>().relative = true;
  }
  std::ranges::sort(config.lambdas);
  config.lambdas.erase(std::unique(config.lambdas.begin(), config.lambdas.end()),
                       config.lambdas.end());
  CheckFlags(app, [&] {
    Check(config);
    CheckRoomForPatches(config.describe);
  });
  return Channel(vocabulary, config);
}

// What the outputs of every image are called: by its file, or if several have one name by their
// whole path.
std::vector<std::string> OutputNames(const std::vector<Input>& images) {
  std::map<std::string, int> count;
  const auto file = [](const Input& image) {
    return SafeFileName(fs::path(image.name).filename().string());
  };
  for (const Input& image : images) ++count[file(image)];
  std::vector<std::string> names;
  std::map<std::string, std::string> taken;
  for (const Input& image : images) {
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
    throw FormatError(dataset.title, "has no boxes; give images with --box or --boxes");
  }
  return list;
}

// What was done, in one line.
std::string DoneText(const WeightsRequest& request, std::span<const ImageWeights> images) {
  LambdaRange lambda;
  Index drawn = 0, patches = 0;
  for (const ImageWeights& image : images) {
    if (!image.failure.empty()) continue;
    ++drawn;
    patches += image.patches;
    lambda.Add(image.reports);
  }
  std::string written;
  for (const std::string& path : {request.output, request.json, request.csv}) {
    if (path.empty() || path == "-") continue;
    written += fmt::format("{}{}", written.empty() ? "wrote " : ", ", path);
  }
  const std::string range = lambda.Text();
  return fmt::format("{}{}weights of {} patches of {} {}{}{}", written, written.empty() ? "" : ": ",
                     Thousands(patches), Thousands(drawn), drawn == 1 ? "image" : "images",
                     range.empty() ? "" : ", ", range);
}

RegionList RegionsOf(const WeightsRequest& request, const std::optional<Dataset>& dataset) {
  if (dataset) return RegionList(*dataset);
  if (request.box) return RegionList(*request.box);
  if (!request.boxes.empty()) return RegionList::FromCsv(request.boxes);
  if (request.mask.empty()) return {};
  return RegionList::FromMask(request.mask, request.config.encode.describe.image);
}

// Writes the files of every image, and contact sheets.
class Gallery {
 public:
  Gallery(const WeightsRequest& request, const ImageList& images, LongRun& long_run)
      : request_(request),
        several_(images.several),
        total_(images.images.size()),
        names_(OutputNames(images.images)),
        long_run_(long_run) {}

  // Why the files of an image cannot be written: their names are too long. "" if they can.
  std::string Problem(std::size_t number, const ImageWeights& image) const;
  // Lets go of what was written.
  void Write(std::size_t number, ImageWeights& image);
  void WriteSheet();

 private:
  // The file of an image that ends in `suffix`.
  std::string PathOf(std::size_t number, const std::string& suffix) const;

  const WeightsRequest& request_;
  const bool several_;
  const std::size_t total_;
  const std::vector<std::string> names_;
  LongRun& long_run_;
  ContactSheet sheet_;
  int sheets_ = 0;
};

std::string Gallery::PathOf(std::size_t number, const std::string& suffix) const {
  if (request_.one_figure()) return request_.output;
  return fs::path(request_.output) / (names_[number] + suffix);
}

std::string Gallery::Problem(std::size_t number, const ImageWeights& image) const {
  for (const auto& [suffix, bytes] : image.files) {
    const std::string why = WhyTooLong(PathOf(number, suffix));
    if (!why.empty()) return why;
  }
  return "";
}

void Gallery::Write(std::size_t number, ImageWeights& image) {
  const bool folder = !request_.one_figure();
  if (!image.files.empty()) {
    long_run_.Write([&] {
      // Made when there is something to put into it.
      if (folder) MakeFolders(request_.output);
      FileBatch files;
      for (const auto& [suffix, bytes] : image.files) files.Add(PathOf(number, suffix), bytes);
      files.Commit();
    });
  }
  if (image.panels && several_ && folder) sheet_.Add(*image.panels);
  image.files.clear();
  image.panels.reset();
  if (sheet_.size() == kImagesPerSheet) WriteSheet();
}

void Gallery::WriteSheet() {
  if (sheet_.size() == 0) return;
  ++sheets_;
  const std::string name = total_ <= kImagesPerSheet
                               ? "contact_sheet.png"
                               : fmt::format("contact_sheet-{:03}.png", sheets_);
  long_run_.Write(
      [&] { WriteWholeFile(fs::path(request_.output) / name, PngBytes(sheet_.Draw())); });
  sheet_ = {};
}

int Weigh(const WeightsRequest& request, const Channel& channel, const RegionList& regions,
          const ImageList& images, const std::string& vocabulary_checksum) {
  LongRun long_run(request.threads, request.quiet, false, [](const Progress& progress) {
    return fmt::format("alcedo: interrupted with {} of {} images done", progress.done,
                       progress.total);
  });
  Gallery gallery(request, images, long_run);
  std::vector<ImageWeights> all;
  std::vector<Failure> failures;
  const bool folder = !request.output.empty() && !request.one_figure();
  const WeighRequest wanted{
      .map = request.config.map,
      // A figure alone has no use for maps of all pixels of a photograph.
      .numbers = request.has_region() || !request.json.empty() || !request.csv.empty() || folder,
      .maps = folder,
      .figure = !request.output.empty()};
  WeighImages(channel, wanted, regions, images.images, long_run.MakeRun(),
              [&](std::size_t number, ImageWeights image) {
                if (image.failure.empty()) image.failure = gallery.Problem(number, image);
                if (image.failure.empty()) {
                  gallery.Write(number, image);
                } else {
                  failures.push_back({image.name, image.failure});
                  image.files.clear();
                  image.panels.reset();
                }
                all.push_back(std::move(image));
              });
  gallery.WriteSheet();
  long_run.line().Clear();
  if (!images.several && !failures.empty()) throw Error(Sentence(failures[0]));
  Outputs outputs;
  outputs.Add(request.json,
              WeightsJson(channel.config(), request.config.map, vocabulary_checksum, all));
  outputs.Add(request.csv, WeightsCsv(channel.config(), all));
  long_run.Write([&] { outputs.Commit(); });
  outputs.Print();
  const bool some = failures.size() < all.size();
  if (!request.quiet) {
    // If a program reads what is printed, nothing else is.
    if (!outputs.printed() && request.has_region() && some) {
      WriteStdout(WeightsText(channel.config(), all));
    }
    if (some) PrintLine(DoneText(request, all));
    for (const ImageWeights& image : all) PrintWarnings(image.warnings);
    const auto without_patches = std::ranges::count_if(
        all, [](const ImageWeights& image) { return image.failure.empty() && image.patches == 0; });
    if (without_patches > 0) {
      PrintWarnings(
          {fmt::format("{} of the images have no patches: their maps are zero", without_patches)});
    }
  }
  PrintFailures(failures, all.size(), request.json == "-" ? "" : request.json);
  if (!some) return kFailed;
  return failures.empty() ? kOk : kSomeSkipped;
}

}  // namespace

int WeightsCommand(const Words& args) {
  // Once to find --vocabulary, and once more with its options in the place of the defaults.
  WeightsArguments first(Defaults());
  if (!first.Parse(args)) return kOk;
  WeightsConfig initial = Defaults();
  initial.encode.vocabulary = VocabularyName(first);
  RequireUsage(initial.encode.vocabulary != "external",
               "weights are those of patches of images: --descriptor is sift or color");
  const NamedVocabulary vocabulary = OpenVocabulary(initial.encode.vocabulary);
  initial.encode.describe = vocabulary.vocabulary.config.describe;
  WeightsArguments arguments(initial);
  arguments.Parse(args);
  arguments.CheckPlacesOf();
  const WeightsRequest& request = arguments.request;
  const Channel channel = MakeReady(vocabulary.vocabulary, request.config.encode, arguments.app);
  const std::string& vocabulary_name = request.config.encode.vocabulary;
  if (channel.config().describe.descriptor.Is<ExternalOptions>()) {
    throw FormatError(vocabulary_name, "was learned from arrays, and weights are drawn on images");
  }

  std::optional<Dataset> dataset;
  if (!request.dataset.empty()) dataset = ReadDataset(request.dataset);
  const ImageList images =
      dataset ? ImagesWithBoxes(*dataset) : ReadImageList(request.images, {request.output}, false);
  RequireUsage(
      !request.one_figure() || (!images.several && images.images.size() == 1),
      fmt::format("{} is the figure of one image; give a folder for several", request.output));
  std::vector<NamedPath> written,
      read{{"--list", request.images.list}, {"--boxes", request.boxes}, {"--mask", request.mask}};
  std::error_code ignored;
  if (fs::exists(vocabulary_name, ignored)) read.push_back({"--vocabulary", vocabulary_name});
  for (const NamedPath& path :
       {NamedPath{"--output", request.output}, NamedPath{"--json", request.json},
        NamedPath{"--csv", request.csv}}) {
    if (path.path.empty()) continue;
    written.push_back(path);
    if (path.option != "--output" || request.one_figure()) CheckParents({path});
  }
  CheckImagePaths(images, read, written);
  const RegionList regions = RegionsOf(request, dataset);
  regions.CheckNames(images.images);
  const int exit_code = Weigh(request, channel, regions, images, vocabulary.checksum);
  if (!request.quiet) PrintNotes(images.Notes());
  return exit_code;
}

}  // namespace alcedo::cli
