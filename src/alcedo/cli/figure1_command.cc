#include "alcedo/cli/figure1_command.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/output.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/figures/figure1.h"
#include "alcedo/image/write_image.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(Two images of 500 patches of sky and one rare patch each, in two dimensions. Sum pooling follows
the sky, and cannot tell the images apart; GMP gives the rare patch as much to say as the sky. All
patches have length 1: those of sky lie evenly from 89.5 to 90.5 degrees, the rare ones at 45 degrees
in one image and at 135 in the other. Every arrow is computed on the spot; the numbers are those of
'alcedo pool --l2' on such patches.

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
  app_.add_option("-o,--output", job_.svg, "an SVG file, for light and dark pages")
      ->type_name("FILE");
  app_.add_option("--png", job_.png, "a PNG file, on white")->type_name("FILE");
  app_.option_defaults()->group("Weights");
  AddTextOption(app_, "--lambda", "NUMBER", "regularisation of gmp, >= 0 (default 0)",
                [this](const std::string& text) {
                  job_.lambda = ParseDouble("--lambda", text);
                  RequireUsage(job_.lambda >= 0 && std::isfinite(job_.lambda),
                               fmt::format("--lambda must be >= 0 and finite, got {}", text));
                });
}

bool Figure1Arguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!job_.svg.empty() || !job_.png.empty(),
               "no output given: add -o figure1.svg (see 'alcedo figure1 --help')");
  return true;
}

int Figure1Command(const std::vector<std::string>& args) {
  Figure1Arguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const Figure1Job& job = arguments.job();
  std::vector<NamedPath> written;
  for (const NamedPath& path : {NamedPath{"--output", job.svg}, NamedPath{"--png", job.png}}) {
    if (path.path.empty()) continue;
    CheckParent(path.path.string());
    written.push_back(path);
  }
  CheckPaths({}, written);
  Figure1Options options;
  options.lambda = job.lambda;
  const Figure1 figure = ComputeFigure1(options);
  FileBatch files;
  if (!job.svg.empty()) files.Add(job.svg, Figure1Svg(figure));
  if (!job.png.empty()) files.Add(job.png, PngBytes(Figure1Picture(figure)));
  files.Commit();
  return kOk;
}

}  // namespace alcedo::cli
