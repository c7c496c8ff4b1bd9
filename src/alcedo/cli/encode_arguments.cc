#include "alcedo/cli/encode_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "alcedo/cli/encode_help.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

constexpr int kMaxImagesPerShard = 1000000;

constexpr std::array<std::string_view, 4> kPoolings = {"lp", "softmax", "gmp", "democratic"};

std::string EncoderOf(std::string_view section) {
  return section == "soft_bov" ? "soft-bov" : std::string(section);
}

FlagPlace PlaceOf(std::string_view section, std::string_view field) {
  if (section.empty()) {
    if (field == "lambda") return OnlyFor("pooling", "gmp");
    if (field == "power" || field == "block_l2" || field == "l2") {
      return {"Normalisation (in this order)"};
    }
    if (field == "pooling" || field == "pyramid") return {"Pooling"};
    return field == "dtype" ? FlagPlace{"Output"} : FlagPlace{"Encoding"};
  }
  if (section == "image" || section == "grid") {
    return {"Pictures and patches (by default as the vocabulary was learned)",
            "descriptor",
            {"sift", "color"}};
  }
  if (section == "sift") return OnlyFor("descriptor", "sift");
  if (std::ranges::count(kPoolings, section) > 0) return OnlyFor("pooling", std::string(section));
  return OnlyFor("encoder", EncoderOf(section));
}

VectorsForm FormOf(const std::string& output) {
  RefuseStdout("--output", output,
               "a .npy or .safetensors file with others beside it, or a folder");
  std::error_code ignored;
  if (output.ends_with("/") || std::filesystem::is_directory(output, ignored)) {
    return VectorsForm::kStore;
  }
  if (output.ends_with(".npy")) return VectorsForm::kNpy;
  if (output.ends_with(".safetensors")) return VectorsForm::kSafetensors;
  RequireUsage(!std::filesystem::is_regular_file(output, ignored),
               fmt::format("output '{}' is a file; its name must end in .npy or .safetensors, or "
                           "be that of a folder",
                           output));
  RequireUsage(
      !std::filesystem::path(output).has_extension(),
      fmt::format("output '{}' must end in .npy or .safetensors, or in / for a folder", output));
  return VectorsForm::kStore;
}

}  // namespace

EncodeArguments::EncodeArguments(const EncodeConfig& config)
    : app_("Encodes pictures, or descriptors made elsewhere: one vector for each image.",
           "alcedo encode") {
  job_.config = config;
  app_.footer(EncodeHelpFooter());
  app_.formatter(std::make_shared<HelpFormatter>());
  AddInputOptions(app_, job_.run);
  AddOutputOption(app_, job_.run,
                  "a .npy or .safetensors file, or a folder (ends with /, exists as one, or has no "
                  "extension): a feature store that can be gone on with; required");
  flags_ = AddConfigFlags(app_, job_.config, PlaceOf);
  app_.option_defaults()->group("Output");
  AddTextOption(
      app_, "--images-per-shard", "INTEGER",
      fmt::format("images in one file of a feature store (default {})", job_.images_per_shard),
      [this](const std::string& text) {
        job_.images_per_shard = ParseInt("--images-per-shard", text);
        RequireUsage(
            job_.images_per_shard >= 1 && job_.images_per_shard <= kMaxImagesPerShard,
            fmt::format("--images-per-shard must be in [1, {}], got {}", kMaxImagesPerShard, text));
      });
  AddRunOptions(app_, job_.run);
}

bool EncodeArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  CheckRunOptions(job_.run, "encode", "OUT.npy");
  if (!job_.run.dump_config.empty()) return true;
  job_.form = FormOf(job_.run.output);
  RequireUsage(job_.form == VectorsForm::kStore || !given("--images-per-shard"),
               "--images-per-shard goes with an output folder");
  return true;
}

void EncodeArguments::CheckFlags(const EncodeConfig& config) const {
  CheckPlaces(flags_, ToJson(config));
}

}  // namespace alcedo::cli
