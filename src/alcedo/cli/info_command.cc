// `alcedo info`: what a file holds.
#include "alcedo/cli/app.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/info/file_info.h"

namespace alcedo::cli {
namespace {

constexpr const char* kInfoFooter =
    R"(Examples:
  # What a vocabulary was learned from, and with which options.
  alcedo info vocabulary.safetensors
  # The options of a feature store, as a file for the next run.
  alcedo info features/ --json | jq .config > encode.json

Exit codes:
  0    it was told
  1    an error, in one sentence on standard error
  2    a mistake in the command line
)";

}  // namespace

int InfoCommand(const Words& args) {
  App app("alcedo info",
          "Says what a vocabulary, a model, a feature store, an array file or an image holds.",
          kInfoFooter);
  std::string file;
  bool json = false;
  app.Add("FILE", "PATH", "a file, a feature store, or sift or color: the bundled vocabularies",
          file);
  app.AddFlag("--json", "as JSON, with everything there is to say", json);
  if (!app.Parse(args)) return kOk;
  RequireUsage(!file.empty(), "no FILE given (see 'alcedo info --help')");
  const info::FileInfo info = info::DescribeFile(file);
  WriteStdout(json ? info.json : FileInfoText(info));
  return kOk;
}

}  // namespace alcedo::cli
