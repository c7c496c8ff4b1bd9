#include <memory>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/reproduce_command.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(Vocabularies are learned and lambda, power, sigma and C are chosen without the test images (on the
validation split, or by cross-validation where a dataset has none); machines are trained on all
other images, and then the test images are looked at once. Every picture is read once, and
everything that is asked of it comes out of that pass.

The output folder gets results.json, results.csv, report.html (one page that needs nothing else) and
report.md. A run that was interrupted, or killed, goes on when the same command is given again.

Examples:
  # Everything, on every dataset that is found: hours.
  alcedo reproduce --data datasets/ -o results
  # The Fisher Vectors of Table 2 on Flowers, with two seeds.
  alcedo reproduce --data datasets/ --dataset flowers --table 2 --seeds 2 -o flowers
  # A quick look at one's own pictures, a folder for each class.
  alcedo reproduce --data photos/ --dataset folder --lite -o look

Exit codes:
  0    the report was written
  1    an error, in one sentence on standard error
  2    a mistake in the command line
  3    the report was written, but some images were bad: it lists them
  130  interrupted; the same command goes on where it stopped
)";

// "a,b" as names of datasets.
std::vector<std::string> ParseDatasets(const std::string& text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    names.push_back(CheckChoice("--dataset", name, Choices<DatasetKind>()));
    RequireUsage(name != "auto", "--dataset auto is what is done without --dataset");
    begin = end + 1;
  }
  return names;
}

}  // namespace

ReproduceArguments::ReproduceArguments()
    : app_("Reproduces the tables of the paper, and goes beyond them.", "alcedo reproduce") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.option_defaults()->group("Data");
  app_.add_option("--data", job_.data, "a dataset, or a folder with datasets in it; required")
      ->type_name("FOLDER");
  AddTextOption(app_, "--dataset", Choices<DatasetKind>(),
                "only these, separated by commas (default: all that are found)",
                [this](const std::string& text) { job_.datasets = ParseDatasets(text); });
  app_.option_defaults()->group("Output");
  app_.add_option("-o,--output", job_.output, "folder of the report (default results)")
      ->type_name("FOLDER");
  app_.add_option("--work", job_.work,
                  "folder of intermediate files, which a run goes on from (default: work in the "
                  "output folder)")
      ->type_name("FOLDER");
  app_.add_flag("--keep-vectors", job_.keep_vectors,
                "keep the vectors of the training images in the work folder");
  app_.option_defaults()->group("Experiment");
  const FieldFlags experiment{app_, "", [](CLI::Option*) {}};
  VisitFields(job_.options, experiment);
  app_.option_defaults()->group("Only for --dataset folder");
  const FieldFlags split{app_, "folder-", [](CLI::Option*) {}};
  VisitFields(job_.split, split);
  app_.option_defaults()->group("Running");
  AddThreadsOption(app_, job_.threads);
  app_.add_flag("-q,--quiet", job_.quiet, "print nothing but errors");
}

bool ReproduceArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!job_.data.empty(),
               "no data given: alcedo reproduce --data FOLDER (see 'alcedo reproduce --help')");
  RefuseStdout("--output", job_.output, "a folder");
  RefuseStdout("--work", job_.work, "a folder");
  if (job_.work.empty()) job_.work = job_.output + "/work";
  CheckWithFlags([this] { CheckReproduceOptions(job_.options); });
  return true;
}

}  // namespace alcedo::cli
