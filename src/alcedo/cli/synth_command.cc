#include "alcedo/cli/synth_command.h"

#include <fmt/format.h>

#include <memory>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/progress.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(Every class is the same bird but for one small mark: a wing bar, an eye ring, a throat patch and so
on, of some colour and pattern. Plumage, pose, size, light and what is behind the bird are drawn by
chance and say nothing about the class. One seed always gives the same bytes.

OUT gets a folder for each class, as 'alcedo train' and 'alcedo reproduce --dataset folder' read
them, boxes.csv (where in each picture the bird and its mark are) and synth.json (the options). A
folder that the same command began is completed; any other that is not empty is left alone.

Examples:
  alcedo synth birds/
  # Another collection, with smaller marks.
  alcedo synth more/ --seed 7 --classes 4 --images 10 --mark-size 0.8
  # What the poolings make of one.
  alcedo synth few/ --classes 3 --images 10
  alcedo reproduce --data few/ --dataset folder --lite --table 2 --samples 10000 -o report

Exit codes:
  0    all pictures are there
  1    an error, in one sentence on standard error
  2    a mistake in the command line
  130  interrupted; the same command goes on where it stopped
)";

}  // namespace

SynthArguments::SynthArguments()
    : app_("Paints birds that differ in one small mark, a folder for each class.", "alcedo synth") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.add_option("OUT", job_.output, "the folder to write")->type_name("FOLDER");
  app_.option_defaults()->group("Collection");
  const FieldFlags fields{app_, "", [](CLI::Option*) {}};
  VisitFields(job_.options, fields);
  app_.option_defaults()->group("Running");
  AddThreadsOption(app_, job_.threads);
  app_.add_flag("-q,--quiet", job_.quiet, "print nothing but errors");
}

bool SynthArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!job_.output.empty(),
               "no folder given: alcedo synth OUT (see 'alcedo synth --help')");
  RefuseStdout("OUT", job_.output, "a folder");
  CheckWithFlags([this] { synth::CheckSynthOptions(job_.options); });
  return true;
}

int SynthCommand(const std::vector<std::string>& args) {
  SynthArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const SynthJob& job = arguments.job();
  const synth::Collection collection = synth::MakeCollection(job.options);
  ProgressMeter progress(static_cast<Index>(job.options.classes) * job.options.images, job.quiet,
                    "pictures");
  Interrupts interrupts([&] {
    progress.Clear();
    return fmt::format("alcedo: interrupted after {} pictures; run the same command again to go on",
                       progress.done());
  });
  synth::SynthRun run;
  run.threads = job.threads;
  run.picture = [&] { progress.Advance(); };
  run.write = [&](const std::function<void()>& write) {
    const Interrupts::Writing writing(interrupts);
    write();
  };
  synth::SynthResult result;
  try {
    result = synth::WriteCollection(collection, job.output, run);
  } catch (...) {
    progress.Clear();
    throw;
  }
  progress.Clear();
  if (!job.quiet) {
    PrintLine(fmt::format(
        "{} classes of {} pictures in {}{}", job.options.classes, job.options.images, job.output,
        result.kept > 0 ? fmt::format("; {} were there already", result.kept) : ""));
  }
  return kOk;
}

}  // namespace alcedo::cli
