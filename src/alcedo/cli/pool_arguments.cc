#include "alcedo/cli/pool_arguments.h"

#include <fmt/format.h>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/pool_help.h"
#include "alcedo/cli/poolings.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

std::string PoolingChoices(const std::vector<PoolingOptions>& poolings) {
  std::string choices;
  for (const PoolingOptions& pooling : poolings) {
    if (!choices.empty()) choices += '|';
    choices += NameOf(pooling);
  }
  return choices;
}

}  // namespace

PoolArguments::PoolArguments()
    : app_("Pools bags of local encodings: one vector for each bag of patches.", "alcedo pool"),
      pooling_name_(PoolingName(GmpOptions{})),
      poolings_(AllPoolings()) {
  app_.footer(PoolHelpFooter());
  app_.formatter(std::make_shared<HelpFormatter>());
  job_.lambdas = {GmpOptions{}.lambda};
  AddInputOptions();
  AddPoolingOptions();
  AddOutputOptions();
}

void PoolArguments::AddInputOptions() {
  app_.add_option(
          "INPUT", job_.inputs,
          "a .npy (2-D: one bag, patches x dimensions; 3-D: a batch of bags), an .npz or "
          ".safetensors (every 2-D floating-point array is a bag, every 3-D one a batch; of "
          "\"descriptors\" with \"positions\" and \"image_size\", as encode takes them, the "
          "descriptors alone), a folder of these (subfolders are not entered), or - for standard "
          "input")
      ->type_name("PATH");
  app_.option_defaults()->group("Input");
  app_.add_option("--array", job_.array, "the one array of an .npz or .safetensors to pool")
      ->type_name("NAME");
  app_.add_option(
          "--offsets", job_.offsets,
          "integer array 0 = o_0 <= ... <= o_n = N: the input is one array of N rows, bag i "
          "its rows o_i to o_i+1")
      ->type_name("FILE");
  app_.add_option(
          "--blocks", job_.blocks,
          "integer array, N or N x k: the block of each row, or of each of the k entries that the "
          "row holds side by side (-1: no entry); N of a batch is the rows of all its bags, or "
          "bags x rows; for several files a folder of equally named ones")
      ->type_name("PATH");
  AddTextOption(app_, "--num-blocks", "INTEGER", "how many blocks there are, with --blocks",
                [this](const std::string& text) {
                  const int count = ParseInt("--num-blocks", text);
                  RequireUsage(count >= 1, "--num-blocks must be >= 1, got " + text);
                  job_.num_blocks = count;
                });
  CLI::Option* input_weights =
      app_.add_option("--input-weights", job_.input_weights,
                      "floating-point array of N weights for --pooling weighted; for several files "
                      "a folder of equally named ones")
          ->type_name("PATH");
  OnlyFor(input_weights, {std::string(PoolingName(WeightedOptions{}))});
}

void PoolArguments::AddPoolingOptions() {
  app_.option_defaults()->group("Pooling");
  const std::string choices = PoolingChoices(poolings_);
  AddTextOption(app_, "--pooling", choices, "how to pool (default " + pooling_name_ + ")",
                [this, choices](const std::string& text) {
                  pooling_name_ = CheckChoice("--pooling", text, choices);
                });
  for (PoolingOptions& pooling : poolings_) {
    const std::string name = NameOf(pooling);
    app_.option_defaults()->group("Only for --pooling " + name);
    if (std::holds_alternative<GmpOptions>(pooling)) AddGmpOptions();
    const FieldFlags flags{app_, FlagPrefix(pooling),
                           [&](CLI::Option* option) { OnlyFor(option, {name}); }};
    std::visit(
        [&]<class Options>(Options& options) {
          if constexpr (HasFields<Options>) {
            VisitFields(options, [&](std::string_view field, auto& value, std::string_view help) {
              flags(field == "relative" ? "lambda_relative" : field, value, help);
            });
          }
        },
        pooling);
  }
}

void PoolArguments::AddGmpOptions() {
  const std::string gmp(PoolingName(GmpOptions{}));
  OnlyFor(AddTextOption(
              app_, "--lambda", "L[,L...]",
              fmt::format("regularisation, >= 0; several give one vector each, at nearly "
                          "the price of the smallest (default {}, absolute unless "
                          "--lambda-relative)",
                          job_.lambdas[0]),
              [this](const std::string& text) { job_.lambdas = ParseDoubles("--lambda", text); }),
          {gmp});
  OnlyFor(app_.add_flag("--nonnegative", job_.nonnegative,
                        "weights >= 0: similarities of at least 1 instead of exactly 1"),
          {gmp});
}

void PoolArguments::AddOutputOptions() {
  app_.option_defaults()->group("Normalisation (in this order)");
  AddTextOption(app_, "--power", "NUMBER", "sign(x) |x|^P, with P in [0, 1]",
                [this](const std::string& text) { job_.power = ParseDouble("--power", text); });
  app_.add_flag("--block-l2", job_.block_l2, "L2 of every block of the encodings");
  app_.add_flag("--l2", job_.l2, "L2 of the whole vector");

  const std::vector<std::string> solved{std::string(PoolingName(GmpOptions{})),
                                        std::string(PoolingName(DemocraticOptions{}))};
  app_.option_defaults()->group("Output");
  app_.add_option("-o,--output", job_.output,
                  "a .npy or .safetensors file, a folder (a new one must end with /): one .npy per "
                  "bag, or - "
                  "for standard output (.npy); required")
      ->type_name("PATH");
  AddTextOption(app_, "--dtype", Choices<ValueType>(),
                fmt::format("type of the pooled values (default {})", Name(job_.type)),
                [this](const std::string& text) {
                  job_.type = ParseEnum<ValueType>(
                      "--dtype", CheckChoice("--dtype", text, Choices<ValueType>()));
                });
  OnlyFor(
      app_.add_option("--weights", job_.weights,
                      "also write the weight of every patch (gmp, democratic), as an f8 .npy; a "
                      "folder where the output is one")
          ->type_name("PATH"),
      solved);
  app_.add_flag("--resume", job_.resume, "skip the bags that the output folder already has whole");
  OnlyFor(app_.add_flag("--report", report_,
                        "what the solver did for each bag (gmp, democratic), on standard error; "
                        "--report FILE.json writes it there"),
          solved);
  AddThreadsOption(app_, job_.threads);
  AddTextOption(app_, "--seed", "INTEGER",
                "stored with the output; no pooling is random (default 0)",
                [this](const std::string& text) { job_.seed = ParseUnsigned("--seed", text); });
  app_.add_flag("-q,--quiet", job_.quiet, "no progress, no summary and no warnings");
}

void PoolArguments::OnlyFor(CLI::Option* option, std::vector<std::string> poolings) {
  only_for_.emplace_back(option, std::move(poolings));
}

}  // namespace alcedo::cli
