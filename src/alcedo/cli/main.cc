// The program: a table of commands.
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <new>

#include "alcedo/base/text.h"
#include "alcedo/base/version.h"
#include "alcedo/cli/app.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/man_page.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/terminate.h"

namespace alcedo::cli {
namespace {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Words& args);
};

constexpr Command kCommands[] = {
    {"encode", "encode images: one vector for each", EncodeCommand},
    {"learn", "learn a vocabulary from images", LearnCommand},
    {"train", "train a model from images of known classes", TrainCommand},
    {"evaluate", "say how good a model is on a dataset", EvaluateCommand},
    {"classify", "tell the classes of images, by a model", ClassifyCommand},
    {"pool", "pool bags of local encodings into one vector each", PoolCommand},
    {"weights", "draw GMP's weights of an image's patches as a map", WeightsCommand},
    {"figure1", "draw the paper's Figure 1", Figure1Command},
    {"reproduce", "reproduce the paper's tables on its datasets", ReproduceCommand},
    {"synth", "paint birds to try everything on", SynthCommand},
    {"info", "say what a file holds", InfoCommand},
    {"doctor", "check the program, and say what it runs on", DoctorCommand},
    {"completion", "print the completion script for bash, zsh or fish", CompletionCommand},
};

constexpr const char* kExamples = R"(alcedo encode photo.jpg -o photo.npy
alcedo learn photos/ -o vocabulary.safetensors
alcedo encode photos/ --vocabulary vocabulary.safetensors --l2 -o features/
alcedo train photos/ -o model.safetensors
alcedo classify model.safetensors photo.jpg
alcedo weights photo.jpg -o photo.png
alcedo pool patches.npy --pooling gmp --lambda 100 -o image.npy
)";

std::string Help() {
  std::string help =
      "Alcedo: generalized max pooling of local descriptors.\n\n"
      "Usage: alcedo COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : kCommands) {
    help += fmt::format("  {:<12}{}\n", command.name, command.summary);
  }
  help +=
      "\nOptions:\n"
      "  --help      print this help; 'alcedo COMMAND --help' that of a command\n"
      "  --version   print the version\n"
      "  --          in a command: ends its options, for names that begin with a dash\n\n"
      "Examples:\n";
  for (const std::string& line : Split(kExamples, '\n')) {
    if (!line.empty()) help += fmt::format("  {}\n", line);
  }
  help += "\nExit codes:\n";
  for (const auto& [code, text] : kExitCodes) {
    help += fmt::format("  {:<5}{}\n", static_cast<int>(code), text);
  }
  return help;
}

Words TopLevelWords() {
  Words words{"--help", "--version"};
  for (const Command& command : kCommands) words.emplace_back(command.name);
  return words;
}

const Command* FindCommand(const std::string& name) {
  for (const Command& command : kCommands) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

// The hidden command behind the completion scripts: one candidate a line.
int Complete(const Words& words) {
  if (words.size() == 1) {
    WriteLines(WithPrefix(TopLevelWords(), words[0]));
  } else if (const Command* command = words.empty() ? nullptr : FindCommand(words[0])) {
    Words rest(words.begin(), words.end());
    rest[0] = kCompleteOption;
    return command->run(rest);
  }
  return kOk;
}

// The hidden command that the manual is made with: alcedo(1), or the page of a command.
int Man(const Words& words) {
  if (!words.empty()) {
    const Command* command = FindCommand(words[0]);
    RequireUsage(command != nullptr, fmt::format("no manual page of '{}'", words[0]));
    return command->run({kManPageOption});
  }
  Summaries commands;
  for (const Command& command : kCommands) commands.emplace_back(command.name, command.summary);
  WriteStdout(ProgramManPage(commands, kExamples));
  return kOk;
}

int Run(const Words& args) {
  RequireUsage(!args.empty(), "no command given (see 'alcedo --help')");
  const Words rest(args.begin() + 1, args.end());
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    const Command* command = rest.empty() ? nullptr : FindCommand(rest[0]);
    if (command != nullptr) return command->run({"--help"});
    WriteHelp(Help());
  } else if (args[0] == "--version") {
    WriteStdout("alcedo " + Version() + "\n");
  } else if (args[0] == "__complete") {
    return Complete(rest);
  } else if (args[0] == "__man") {
    return Man(rest);
  } else if (const Command* command = FindCommand(args[0])) {
    return command->run(rest);
  } else {
    throw UsageError(fmt::format("unknown {} '{}'{}",
                                 args[0].starts_with("-") ? "option" : "command", args[0],
                                 DidYouMean(args[0], TopLevelWords())));
  }
  return kOk;
}

constexpr const char* kNoMemory =
    "alcedo: there is not enough memory for this; allow more (see 'ulimit -v'), or take fewer "
    "--threads or smaller inputs";

int Main(const Words& args) {
  try {
    return Run(args);
  } catch (const UsageError& error) {
    PrintLine(fmt::format("alcedo: {}", error.what()));
    return kUsage;
  } catch (const BrokenPipe&) {
    return kFailed;
  } catch (const Error& error) {
    PrintLine("alcedo: " + ErrorText(error));
  } catch (const std::bad_alloc&) {
    PrintLine(kNoMemory);
  } catch (const std::exception& error) {
    PrintLine(fmt::format("alcedo: {}", error.what()));
  }
  return kFailed;
}

}  // namespace
}  // namespace alcedo::cli

int main(int argc, char** argv) {
  // A closed pipe and a file beyond the limit are errors of write(), not a sudden death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  alcedo::cli::InstallTerminate();
  return alcedo::cli::Main({argv + 1, argv + argc});
}
