#include "alcedo/cli/completion_command.h"

#include <fmt/format.h>

#include "alcedo/cli/completion.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/help_formatter.h"
#include "alcedo/cli/parse_app.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

constexpr const char* kFooter =
    R"(The script asks the program, so that it need not be printed again when the program changes. An
installed package has it in place already.

Examples:
  # In this shell, or for good in ~/.bashrc.
  source <(alcedo completion bash)
  # In ~/.zshrc, after compinit.
  source <(alcedo completion zsh)
  # For good, in fish.
  alcedo completion fish > ~/.config/fish/completions/alcedo.fish

Exit codes:
  0    the script was printed
  1    an error, in one sentence on standard error
  2    a mistake in the command line
)";

}  // namespace

int CompletionCommand(const std::vector<std::string>& args) {
  CLI::App app("Prints a script that lets a shell complete commands and options.",
               "alcedo completion");
  app.footer(kFooter);
  app.formatter(std::make_shared<HelpFormatter>());
  std::string shell;
  app.add_option("SHELL", shell, "bash, zsh or fish")->type_name("");
  if (!ParseApp(app, args)) return kOk;
  RequireUsage(!shell.empty(), "no SHELL given: alcedo completion bash (or zsh, or fish)");
  const char* script = CompletionScript(shell);
  RequireUsage(script != nullptr,
               fmt::format("completion is for bash, zsh and fish, not for '{}'{}", shell,
                           DidYouMean(shell, {"bash", "zsh", "fish"})));
  WriteStdout(script);
  return kOk;
}

std::vector<std::string> CompleteCompletion(const std::vector<std::string>& words) {
  return WithPrefix({"bash", "zsh", "fish", "--help"}, words.back());
}

}  // namespace alcedo::cli
