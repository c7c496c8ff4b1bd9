#include "alcedo/cli/learn_arguments.h"

#include <fmt/format.h>

#include <memory>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/learn_help.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

FlagPlace PlaceOf(std::string_view section, std::string_view field) {
  if (field == "vlad_rotations") return OnlyFor("kind", "kmeans");
  if (section.empty()) return {"What is learned"};
  if (section == "image" || section == "grid") {
    return {"Pictures and patches", "descriptor", {"sift", "color"}};
  }
  if (section == "sift") return OnlyFor("descriptor", "sift");
  if (section == "pca") return {"Projection"};
  return OnlyFor("kind", std::string(section));
}

}  // namespace

LearnArguments::LearnArguments(const LearnConfig& config)
    : app_("Learns a vocabulary from pictures, or from descriptors made elsewhere.",
           "alcedo learn") {
  job_.config = config;
  app_.footer(LearnHelpFooter());
  app_.formatter(std::make_shared<HelpFormatter>());
  AddInputOptions(app_, job_.run);
  AddOutputOption(app_, job_.run, "the vocabulary, a .safetensors file; required");
  flags_ = AddConfigFlags(app_, job_.config, PlaceOf);
  AddRunOptions(app_, job_.run);
  AddTextOption(
      app_, "--max-memory", "MIB",
      fmt::format("memory for samples; more are read from the disk (default {})", job_.max_memory),
      [this](const std::string& text) {
        job_.max_memory = ParseDouble("--max-memory", text);
        RequireUsage(job_.max_memory > 0, fmt::format("--max-memory must be > 0, got {}", text));
      });
  app_.add_option("--work", job_.work,
                  "where an interrupted run finds what it did; removed at the end (default: the "
                  "output with .work behind it)")
      ->type_name("FOLDER");
}

bool LearnArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  CheckRunOptions(job_.run, "learn", "vocabulary.safetensors");
  if (!job_.run.dump_config.empty()) return true;
  CheckSafetensorsOutput(job_.run.output, "a vocabulary");
  RefuseStdout("--work", job_.work, "a folder");
  if (job_.work.empty()) job_.work = job_.run.output + ".work";
  return true;
}

void LearnArguments::CheckFlags(const LearnConfig& config) const {
  CheckPlaces(flags_, ToJson(config));
}

}  // namespace alcedo::cli
