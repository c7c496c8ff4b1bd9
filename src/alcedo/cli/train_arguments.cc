#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <type_traits>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/train_command.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(DATA is a folder with a folder of pictures for each class, or one of the datasets that 'alcedo
reproduce' knows. Half of every class of a plain folder is kept for 'alcedo evaluate' and not
trained on: --folder-test-fraction takes another share, --all every image. Where there are folders
train/ and test/ (and val/) with the classes inside, they are the split.

With --descriptor external the folders hold array files (.npy, .npz, .safetensors) of descriptors
made elsewhere, one per image, as 'alcedo encode' takes them; 'evaluate' and 'classify' then take
such files too.

For SIFT and for colour a vocabulary is learned, every picture becomes one vector, and support
vector machines tell the classes apart; their scores are summed. C is chosen on the validation
split, or by cross-validation where there is none. A run that was interrupted, or killed, goes on
when the same command is given again.

Examples:
  # A model of one's own pictures, photos/cat/1.jpg, photos/dog/2.jpg and so on.
  alcedo train photos/ -o model.safetensors
  alcedo evaluate model.safetensors photos/
  # One that learns from all of them, and says how sure it is.
  alcedo train photos/ --all --probabilities -o model.safetensors
  # Of descriptors made elsewhere, arrays/cat/1.npy, arrays/dog/2.npy and so on.
  alcedo train arrays/ --descriptor external -o model.safetensors
  # Smaller and faster.
  alcedo train photos/ --descriptor sift --gaussians 16 --samples 50000 -o small.safetensors

Exit codes:
  0    the model was written
  1    an error, in one sentence on standard error; nothing was written
  2    a mistake in the command line
  3    the model was written, but some images were bad and are left out: OUTPUT.failures.csv has
       them
  130  interrupted; the same command goes on where it stopped
)";

// --encoder without sparse, which CheckTrainOptions() refuses with its reason.
void AddEncoder(CLI::App& app, EncoderKind& value, std::string_view help) {
  const std::string all = Choices<EncoderKind>();
  std::string taken;
  for (const std::string& name : CLI::detail::split(all, '|')) {
    if (name == Name(EncoderKind::kSparse)) continue;
    taken += fmt::format("{}{}", taken.empty() ? "" : "|", name);
  }
  AddTextOption(app, "--encoder", taken, fmt::format("{} (default {})", help, Name(value)),
                [&value, all](const std::string& text) {
                  value = ParseEnum<EncoderKind>("--encoder", CheckChoice("--encoder", text, all));
                });
}

}  // namespace

TrainArguments::TrainArguments()
    : app_("Trains a model from pictures of known classes.", "alcedo train") {
  app_.footer(kFooter);
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.add_option("DATA", job_.data.data, "a folder with a folder per class, or a dataset")
      ->type_name("FOLDER");
  AddDataOptions(app_, job_.data);
  app_.option_defaults()->group("Output");
  app_.add_option("-o,--output", job_.output, "the model, a .safetensors file; required")
      ->type_name("FILE");
  app_.add_option("--work", job_.work,
                  "where an interrupted run finds what it did; removed at the end (default: the "
                  "output with .work behind it)")
      ->type_name("FOLDER");
  app_.option_defaults()->group("Model");
  const FieldFlags fields{app_, "", [](CLI::Option*) {}};
  VisitFields(job_.options, [&]<class T>(std::string_view field, T& value, std::string_view help) {
    if constexpr (std::is_same_v<T, EncoderKind>) {
      AddEncoder(app_, value, help);
    } else {
      fields(field, value, help);
    }
  });
  app_.option_defaults()->group("Running");
  AddThreadsOption(app_, job_.threads);
  app_.add_flag("-q,--quiet", job_.quiet, "print nothing but errors");
}

bool TrainArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  const std::string see = "(see 'alcedo train --help')";
  RequireUsage(!job_.data.data.empty(),
               "no DATA given: alcedo train DATA -o model.safetensors " + see);
  RequireUsage(!job_.output.empty(),
               "no output given: alcedo train DATA -o model.safetensors " + see);
  CheckSafetensorsOutput(job_.output, "a model");
  RefuseStdout("--work", job_.work, "a folder");
  if (job_.work.empty()) job_.work = job_.output + ".work";
  CheckTogether();
  CheckWithFlags([this] { CheckTrainOptions(job_.options); });
  return true;
}

void TrainArguments::CheckTogether() const {
  const TrainOptions& o = job_.options;
  const bool gmp = o.pooling == PoolingKind::kGmp;
  const bool both = o.descriptor == TrainDescriptor::kBoth;
  const bool sift = both || o.descriptor == TrainDescriptor::kSift;
  const bool color = both || o.descriptor == TrainDescriptor::kColor;
  struct Rule {
    const char* flag;
    bool holds;
    const char* goes_with;
    std::string chosen;
  };
  const std::string pooling = fmt::format("--pooling {}", Name(o.pooling));
  const std::string descriptor = fmt::format("--descriptor {}", Name(o.descriptor));
  for (const Rule& rule : {Rule{"--lambda", gmp, "--pooling gmp", pooling},
                           Rule{"--no-lambda-relative", gmp, "--pooling gmp", pooling},
                           Rule{"--no-root-sift", sift, "--descriptor both or sift", descriptor},
                           Rule{"--sift-patch", sift, "--descriptor both or sift", descriptor},
                           Rule{"--color-patch", color, "--descriptor both or color", descriptor},
                           Rule{"--scales", sift || color, "pictures", descriptor},
                           Rule{"--fusion-weights", both, "--descriptor both", descriptor},
                           Rule{"--gaussians", o.encoder != EncoderKind::kEmk,
                                "all encoders but emk", "--encoder emk"}}) {
    RequireUsage(
        rule.holds || app_.get_option(rule.flag)->count() == 0,
        fmt::format("{} goes with {}, not with {}", rule.flag, rule.goes_with, rule.chosen));
  }
}

}  // namespace alcedo::cli
