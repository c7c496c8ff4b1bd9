// `alcedo figure1`: the paper's Figure 1 as an image.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "alcedo/cli/app.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/figures/figure1.h"
#include "alcedo/image/write_image.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFigure1Footer =
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

int Figure1Command(const Words& args) {
  App app("alcedo figure1",
          "Draws the paper's Figure 1: what one rare patch does to a pooled vector.",
          kFigure1Footer);
  std::string output, png;
  Figure1Options options;
  options.lambda = 0;
  bool quiet = false;
  app.Group("Output");
  app.Add("-o,--output", "FILE",
          "a .svg file, for light and dark pages, a .png file, on white, or - for an SVG on "
          "standard output",
          output);
  app.Add("--png", "FILE", "a .png file as well", png);
  app.Group("Weights");
  app.Add("--lambda", "NUMBER", "regularisation of gmp, >= 0, absolute (default 0)",
          [&options](const std::string& text) {
            options.lambda = ParseDouble("--lambda", text);
            RequireUsage(options.lambda >= 0 && std::isfinite(options.lambda),
                         fmt::format("--lambda must be >= 0 and finite, got {}", text));
          });
  app.Group("Running");
  app.AddFlag("-q,--quiet", "no summary", quiet);
  if (!app.Parse(args)) return kOk;
  RequireUsage(!output.empty() || !png.empty(),
               "no output given: add -o figure1.svg (see 'alcedo figure1 --help')");
  RequireUsage(
      output.empty() || output == "-" || output.ends_with(".svg") || output.ends_with(".png"),
      fmt::format("output '{}' must end in .svg or .png, or be -", output));
  RequireUsage(png.empty() || png.ends_with(".png"),
               fmt::format("--png '{}' must end in .png", png));

  std::vector<NamedPath> written;
  std::vector<std::string> names;
  for (const NamedPath& path : {NamedPath{"--output", output}, NamedPath{"--png", png}}) {
    if (path.path.empty() || path.path == "-") continue;
    written.push_back(path);
    names.push_back(path.path.string());
  }
  CheckParents(written);
  CheckPaths({}, written);
  const Figure1 figure = ComputeFigure1(options);
  Outputs outputs;
  for (const std::string& path : {output, png}) {
    outputs.Add(path, path.ends_with(".png") ? PngBytes(Figure1Image(figure)) : Figure1Svg(figure));
  }
  outputs.Commit();
  outputs.Print();
  if (!quiet && !names.empty()) {
    PrintLine(fmt::format("wrote {}: lambda {:g}", fmt::join(names, ", "), options.lambda));
  }
  return kOk;
}

}  // namespace alcedo::cli
