// `alcedo completion`: scripts that let a shell complete commands and options.
#include <fmt/format.h>

#include "alcedo/base/text.h"
#include "alcedo/cli/app.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

constexpr const char* kCompletionFooter =
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

int CompletionCommand(const Words& args) {
  if (!args.empty() && args[0] == kCompleteOption) {
    WriteLines(WithPrefix({"bash", "zsh", "fish", "--help"}, args.back()));
    return kOk;
  }
  App app("alcedo completion", "Prints a script that lets a shell complete commands and options.",
          kCompletionFooter);
  std::string shell;
  app.Add("SHELL", "", "bash, zsh or fish", shell);
  if (!app.Parse(args)) return kOk;
  RequireUsage(!shell.empty(), "no SHELL given: alcedo completion bash (or zsh, or fish)");
  const char* script = CompletionScript(shell);
  RequireUsage(script != nullptr,
               fmt::format("completion is for bash, zsh and fish, not for '{}'{}", shell,
                           DidYouMean(shell, {"bash", "zsh", "fish"})));
  WriteStdout(script);
  return kOk;
}

}  // namespace alcedo::cli
