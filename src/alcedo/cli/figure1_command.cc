#include "alcedo/cli/figure1_command.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/output.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/figures/figure1.h"
#include "alcedo/image/write_image.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(Two images of 500 patches of sky and one rare patch each, in two dimensions. Sum pooling follows
the sky, and cannot tell the images apart; GMP gives the rare patch as much to say as the sky.

All patches have length 1: those of sky lie evenly from 89.5 to 90.5 degrees, the rare ones at 45
degrees in one image and at 135 in the other. Every arrow is computed on the spot; the numbers are
those of 'alcedo pool --l2' on such patches.

Examples:
  alcedo figure1 -o figure1.svg
  alcedo figure1 -o figure1.svg --png figure1.png --lambda 100

Exit codes:
  0  the figure was written
  1  an error, in one sentence on standard error; nothing was written
  2  a mistake in the command line
)";

}  // namespace

Figure1Arguments::Figure1Arguments()
    : app_("Draws the paper's Figure 1: what one rare patch does to a pooled vector.",
           "alcedo figure1") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.option_defaults()->group("Output");
  app_.add_option(
          "-o,--output", job_.output,
          "a .svg file, for light and dark pages, a .png file, on white, or - for an SVG on "
          "standard output")
      ->type_name("FILE");
  app_.add_option("--png", job_.png, "a .png file as well")->type_name("FILE");
  app_.option_defaults()->group("Weights");
  AddTextOption(app_, "--lambda", "NUMBER", "regularisation of gmp, >= 0, absolute (default 0)",
                [this](const std::string& text) {
                  job_.lambda = ParseDouble("--lambda", text);
                  RequireUsage(job_.lambda >= 0 && std::isfinite(job_.lambda),
                               fmt::format("--lambda must be >= 0 and finite, got {}", text));
                });
  app_.option_defaults()->group("Running");
  app_.add_flag("-q,--quiet", job_.quiet, "no summary");
}

bool Figure1Arguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!job_.output.empty() || !job_.png.empty(),
               "no output given: add -o figure1.svg (see 'alcedo figure1 --help')");
  const std::string& output = job_.output;
  RequireUsage(
      output.empty() || output == "-" || output.ends_with(".svg") || output.ends_with(".png"),
      fmt::format("output '{}' must end in .svg or .png, or be -", output));
  RequireUsage(job_.png.empty() || job_.png.ends_with(".png"),
               fmt::format("--png '{}' must end in .png", job_.png));
  return true;
}

int Figure1Command(const std::vector<std::string>& args) {
  Figure1Arguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const Figure1Job& job = arguments.job();
  std::vector<NamedPath> written;
  for (const NamedPath& path : {NamedPath{"--output", job.output}, NamedPath{"--png", job.png}}) {
    if (path.path.empty() || path.path == "-") continue;
    CheckParent(path.path.string());
    written.push_back(path);
  }
  CheckPaths({}, written);
  Figure1Options options;
  options.lambda = job.lambda;
  const Figure1 figure = ComputeFigure1(options);
  FileBatch files;
  for (const std::string& path : {job.output, job.png}) {
    if (path.empty() || path == "-") continue;
    files.Add(path, path.ends_with(".png") ? PngBytes(Figure1Picture(figure)) : Figure1Svg(figure));
  }
  files.Commit();
  if (job.output == "-") WriteStdout(Figure1Svg(figure));
  if (!job.quiet && !written.empty()) {
    std::string names;
    for (const NamedPath& path : written) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", path.path.string());
    }
    PrintLine(fmt::format("wrote {}: lambda {:g}", names, job.lambda));
  }
  return kOk;
}

}  // namespace alcedo::cli
