#include "alcedo/cli/weights_arguments.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/run_options.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(GMP is a weighted sum of the encodings of all patches. The map shows these weights: a pixel has the
sum of those of all patches over it. By default as in the paper's Figure 2: colour, EMK. Small
lambdas make rare patches count as much as frequent ones, large ones are sum pooling, whose weights
are all equal. Near the border lie fewer patches over a pixel; --map mean divides by their number.

OUT is a folder, or for one picture a .png, the figure alone. A folder gets of every picture X
  X.weights.png   original, map and weighted picture side by side; several lambdas in columns
  X.map.png       the map alone (X.map-LAMBDA.png of several lambdas)
  X.map.npy       its values, float32, of the picture's size (of several lambdas: one map each)
and contact_sheet.png, where there are several pictures. Where a value is negative the colours go
from blue through white, which is zero, to red; otherwise from dark violet, zero, to yellow. On a
contact sheet all maps of a lambda have the colours that one of them needs.

With a box or a mask the share of the weight inside is printed, beside its share of the area and its
share of the map that equal weights give. It is that of the positive values of the map; --json and
--csv also have that of the absolute values. Boxes are in pixels of the picture, turned upright.

Examples:
  # The paper's figure of one picture.
  alcedo weights bird.jpg -o bird.png
  # From max-like to sum-like, for all pictures of a folder.
  alcedo weights photos/ --lambda 10,100,1000,10000 --lambda-relative -o maps/
  # Fisher Vectors of SIFT.
  alcedo weights bird.jpg --encoder fv --descriptor sift -o maps/
  # How much of the weight lies on the object.
  alcedo weights bird.jpg --box 120,80,200,150 -o maps/
  alcedo weights photos/ --boxes boxes.csv --json shares.json
  alcedo weights --dataset CUB_200_2011/ --csv shares.csv

Exit codes:
  0    all pictures were drawn
  1    an error, in one sentence on standard error
  2    a mistake in the command line
  3    some pictures were bad: they are listed on standard error, all others were drawn
  130  interrupted; what is in the folder is whole
)";

FlagPlace PlaceOf(std::string_view section, std::string_view field) {
  if (section.empty() && field == "map") return {"Map"};
  if (section.empty()) return {"Weights"};
  if (section == "gmp") return {"Weights"};
  if (section == "sift") return OnlyFor("descriptor", "sift");
  if (section == "fv" || section == "emk") return OnlyFor("encoder", std::string(section));
  return {"Pictures and patches (by default as the vocabulary was learned)"};
}

Box ParseBox(const std::string& text) {
  const std::vector<double> numbers = ParseDoubles("--box", text);
  RequireUsage(numbers.size() == 4,
               fmt::format("--box is x,y,width,height in pixels, got '{}'", text));
  RequireUsage(numbers[2] > 0 && numbers[3] > 0,
               fmt::format("--box must be wider and taller than 0, got '{}'", text));
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

}  // namespace

WeightsConfig WeightsArguments::Defaults() {
  WeightsConfig config;
  config.encode.encoder = EncoderKind::kEmk;
  config.encode.describe.descriptor = DescriptorKind::kColor;
  config.encode.vocabulary = "color";
  return config;
}

WeightsArguments::WeightsArguments(const WeightsConfig& config)
    : app_("Draws GMP's weight of every patch of a picture as a map (Figure 2 of the paper).",
           "alcedo weights") {
  job_.config = config;
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  AddInputOptions(app_, job_.inputs, job_.list,
                  "pictures, or folders of them with all folders in them");
  app_.add_option("--dataset", job_.dataset,
                  "instead of IMAGES: all pictures with boxes of CUB, Pets or VOC 2007")
      ->type_name("FOLDER");
  app_.option_defaults()->group("Output");
  app_.add_option("-o,--output", job_.output,
                  "a folder, or a .png for the figure of one picture; required, unless shares are "
                  "asked for")
      ->type_name("PATH");
  app_.add_option("--json", job_.json,
                  "shares and extremes of every map, and all options; - is standard output")
      ->type_name("FILE");
  app_.add_option("--csv", job_.csv,
                  "the same as a table, one line for each picture and lambda; - is standard output")
      ->type_name("FILE");
  app_.option_defaults()->group("Share of the weight inside");
  AddTextOption(app_, "--box", "X,Y,W,H", "a box in every picture, in pixels",
                [this](const std::string& text) { job_.box = ParseBox(text); });
  app_.add_option(
          "--boxes", job_.boxes,
          "boxes of pictures by name: a .csv with the columns image, x, y, width and height, in "
          "any order and among others")
      ->type_name("FILE");
  app_.add_option("--mask", job_.mask, "a picture of the same size, white inside")
      ->type_name("FILE");
  flags_ = AddConfigFlags(app_, job_.config, PlaceOf);
  app_.option_defaults()->group("Running");
  AddThreadsOption(app_, job_.threads);
  app_.add_flag("-q,--quiet", job_.quiet, "no progress, no table, no summary and no warnings");
}

bool WeightsArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  const std::string see = "(see 'alcedo weights --help')";
  const bool inputs = !job_.inputs.empty() || !job_.list.empty();
  RequireUsage(inputs || !job_.dataset.empty(), fmt::format("no IMAGES given {}", see));
  RequireUsage(!inputs || job_.dataset.empty(), "--dataset stands instead of IMAGES");
  const int regions = static_cast<int>(job_.box.has_value()) +
                      static_cast<int>(!job_.boxes.empty()) + static_cast<int>(!job_.mask.empty()) +
                      static_cast<int>(!job_.dataset.empty());
  RequireUsage(regions <= 1, "give one of --box, --boxes, --mask and --dataset");
  RequireUsage(!job_.output.empty() || regions == 1,
               fmt::format("no output given: add -o OUT/ {}", see));
  RefuseStdout("--output", job_.output, "a folder of pictures, or one picture");
  const std::filesystem::path output(job_.output);
  RequireUsage(job_.one_figure() || job_.output.empty() || !output.has_extension() ||
                   job_.output.ends_with("/") || std::filesystem::is_directory(output),
               fmt::format("output '{}' must be a folder, or end in .png", job_.output));
  return true;
}

}  // namespace alcedo::cli
