#include "alcedo/cli/info_command.h"

#include "alcedo/cli/errors.h"
#include "alcedo/cli/file_info.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {

InfoArguments::InfoArguments()
    : app_("Says what a vocabulary, a model, a feature store, an array file or a picture holds.",
           "alcedo info") {
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.add_option("FILE", file_,
                  "a file, a feature store, or sift or color: the vocabularies that come along")
      ->type_name("PATH");
  app_.add_flag("--json", json_, "as JSON, with everything there is to say");
  app_.footer(R"(Examples:
  # What a vocabulary was learned from, and with which options.
  alcedo info vocabulary.safetensors
  # The options of a feature store, as a file for the next run.
  alcedo info features/ --json | jq .config > encode.json

Exit codes:
  0    it was told
  1    an error, in one sentence on standard error
  2    a mistake in the command line
)");
}

bool InfoArguments::Parse(const std::vector<std::string>& args) {
  if (!ParseApp(app_, args)) return false;
  RequireUsage(!file_.empty(), "no FILE given (see 'alcedo info --help')");
  return true;
}

int InfoCommand(const std::vector<std::string>& args) {
  InfoArguments arguments;
  if (!arguments.Parse(args)) return kOk;
  const FileInfo info = DescribeFile(arguments.file());
  WriteStdout(arguments.json() ? Dump(info.json, 2) + "\n" : FileInfoText(info));
  return kOk;
}

}  // namespace alcedo::cli
