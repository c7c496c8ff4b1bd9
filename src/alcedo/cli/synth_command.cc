// `alcedo synth`: a collection of painted birds to try everything on.
#include <fmt/format.h>

#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/long_run.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/synth/collection.h"

namespace alcedo::cli {
namespace {

constexpr const char* kSynthFooter =
    R"(Every class is the same bird but for one small mark: a wing bar, an eye ring, a throat patch and so
on, of some colour and pattern. Plumage, pose, size, light and what is behind the bird are drawn by
chance and say nothing about the class. One seed always gives the same bytes.

OUT gets a folder for each class, as 'alcedo train' and 'alcedo reproduce --dataset folder' read
them, boxes.csv (where in each image the bird and its mark are) and synth.json (the options). A
folder that the same command began is completed; any other that is not empty is left alone.

Examples:
  alcedo synth birds/
  # Another collection, with smaller marks.
  alcedo synth more/ --seed 7 --classes 4 --images 10 --mark-size 0.8
  # What the poolings make of one.
  alcedo synth few/ --classes 3 --images 10
  alcedo reproduce --data few/ --dataset folder --lite --table 2 --samples 10000 -o report

Exit codes:
  0    all images are there
  1    an error, in one sentence on standard error
  2    a mistake in the command line
  130  interrupted; the same command resumes it
)";

}  // namespace

int SynthCommand(const Words& args) {
  App app("alcedo synth", "Paints birds that differ in one small mark, a folder for each class.",
          kSynthFooter);
  std::string output;
  synth::SynthOptions options;
  int threads = 1;
  bool quiet = false;
  app.Add("OUT", "FOLDER", "the folder to write", output);
  app.Group("Collection");
  VisitFields(options, FieldFlags{app, ""});
  AddRunning(app, threads, quiet, "print nothing but errors");
  if (!app.Parse(args)) return kOk;
  RequireUsage(!output.empty(), "no folder given: alcedo synth OUT (see 'alcedo synth --help')");
  RefuseStdout("OUT", output, "a folder");
  CheckFlags(app, [&] { synth::Check(options); });

  const synth::Collection collection = synth::MakeCollection(options);
  LongRun long_run(threads, quiet, false, [](const Progress& progress) {
    return fmt::format("alcedo: interrupted after {} images; run the same command again to resume",
                       progress.done);
  });
  const synth::SynthResult result = synth::WriteCollection(collection, output, long_run.MakeRun());
  long_run.line().Clear();
  if (!quiet) {
    PrintLine(
        fmt::format("{} classes of {} images in {}{}", options.classes, options.images, output,
                    result.kept > 0 ? fmt::format("; {} were there already", result.kept) : ""));
  }
  return kOk;
}

}  // namespace alcedo::cli
