// Manners at a terminal, and none in a pipe: colour, bold, the last line; help and the manual of
// every command.
#include <regex>
#include <sstream>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Terminal : public EndToEnd {
 protected:
  // Standard output and standard error of a command line, both the terminal.
  static std::string Shown(const std::string& environment, const std::string& command_line) {
    return RunCommandOnTerminal({"bash", "-c",
                                 "unset NO_COLOR; export TERM=xterm; " + environment + "; exec " +
                                     ALCEDO_PROGRAM + " " + command_line + " >&2"})
        .err;
  }
  static std::vector<std::string> Commands() {
    std::istringstream lines(Succeed({"__complete", ""}).out);
    std::vector<std::string> commands;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("-")) commands.push_back(line);
    }
    return commands;
  }
  // The numbers below "Exit codes:".
  static std::vector<std::string> ExitCodes(const std::string& help) {
    const std::string tail = help.substr(std::min(help.find("Exit codes:\n"), help.size()));
    std::vector<std::string> codes;
    const std::regex line("\n  ([0-9]+) +[a-z]");
    for (std::sregex_iterator at(tail.begin(), tail.end(), line), end; at != end; ++at) {
      codes.push_back((*at)[1]);
    }
    return codes;
  }
};

TEST_F(Terminal, ErrorsAreColouredForPeopleOnly) {
  if (!HasTerminals()) GTEST_SKIP() << "no terminals here";
  EXPECT_THAT(Shown("true", "enkode"), StartsWith("\033[1;31malcedo:\033[0m unknown command"));
  EXPECT_THAT(Shown("export NO_COLOR=", "enkode"), StartsWith("\033[1;31malcedo:\033[0m"));
  for (const std::string no : {"export NO_COLOR=1", "export TERM=dumb", "unset TERM"}) {
    EXPECT_THAT(Shown(no, "enkode"), StartsWith("alcedo: unknown command")) << no;
    EXPECT_THAT(Shown(no, "--help"), Not(HasSubstr("\033"))) << no;
  }
  const Result piped = RunCommand({"env", "TERM=xterm", ALCEDO_PROGRAM, "enkode"});
  EXPECT_THAT(piped.err, StartsWith("alcedo: unknown command"));
}

TEST_F(Terminal, HeadingsOfHelpAreBoldForPeopleOnly) {
  if (!HasTerminals()) GTEST_SKIP() << "no terminals here";
  EXPECT_THAT(Shown("true", "--help"),
              AllOf(HasSubstr("\033[1mCommands:\033[0m"), HasSubstr("\033[1mExit codes:\033[0m")));
  EXPECT_THAT(Shown("true", "pool --help"),
              AllOf(HasSubstr("\033[1mUsage:\033[0m alcedo pool"),
                    HasSubstr("\033[1mOnly for --pooling gmp:\033[0m")));
  EXPECT_THAT(RunCommand({"env", "TERM=xterm", ALCEDO_PROGRAM, "pool", "--help"}).out,
              Not(HasSubstr("\033")));
}

TEST_F(Terminal, TheLastLineSaysWhatWasDone) {
  if (!HasTerminals()) GTEST_SKIP() << "no terminals here";
  for (const std::string name : {"a", "b"}) {
    WriteFile("in/" + name + ".npy", Npy(RandomRows(5, 3, 1)));
  }
  const Args args{"pool", "in", "-o", "out.npy"};
  EXPECT_THAT(
      RunOnTerminal(args).err,
      testing::ContainsRegex("wrote out.npy: 2 vectors.*2 bags in 0:[0-9]+, [0-9.]+ bags/s"));
  EXPECT_EQ(RunOnTerminal(args + Args{"-q"}).err, "");
  EXPECT_EQ(RunOnTerminal(args + Args{"--quiet"}).err, "");
  EXPECT_THAT(Succeed(args).err, AllOf(HasSubstr("wrote out.npy"), Not(HasSubstr("bags/s"))));
}

TEST_F(Terminal, EveryCommandHasHelpExamplesAndExitCodes) {
  const std::vector<std::string> commands = Commands();
  ASSERT_GE(commands.size(), 10u);
  const std::string top = Succeed({"--help"}).out;
  const std::vector<std::string> known = ExitCodes(top);
  EXPECT_EQ(known, (std::vector<std::string>{"0", "1", "2", "3", "130"}));
  for (const std::string& command : commands) {
    const std::string help = Succeed({command, "--help"}).out;
    EXPECT_THAT(top, HasSubstr("  " + command + " "));
    EXPECT_THAT(help, HasSubstr("Usage: alcedo " + command)) << command;
    EXPECT_THAT(help, HasSubstr("Examples:\n  ")) << command;
    const std::vector<std::string> codes = ExitCodes(help);
    EXPECT_GE(codes.size(), 3u) << command;
    for (const std::string& code : codes) EXPECT_THAT(known, testing::Contains(code)) << command;
    // What can be interrupted shows progress, and that can be turned off.
    if (std::count(codes.begin(), codes.end(), "130") > 0) {
      EXPECT_NE(help.find("-q,--quiet"), std::string::npos) << command;
    }
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_EQ(Succeed({"help", command}).out, help);
  }
}

TEST_F(Terminal, TheManualHasAPageOfEveryCommand) {
  const std::string top = Succeed({"__man"}).out;
  WriteFile("man/alcedo.1", top);
  for (const std::string& command : Commands()) {
    EXPECT_THAT(top, HasSubstr("\\fBalcedo\\-" + command + "\\fR(1)")) << command;
    const std::string page = Succeed({"__man", command}).out;
    for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES",
                                "\"EXIT STATUS\"", "\"SEE ALSO\""}) {
      EXPECT_THAT(page, HasSubstr(".SH " + std::string(section) + "\n")) << command;
    }
    WriteFile("man/alcedo-" + command + ".1", page);
  }
  if (!HasCommand("groff")) GTEST_SKIP() << "no groff here";
  for (const auto& [file, text] : FilesBelow("man")) {
    const Result result =
        RunCommand({"groff", "-man", "-ww", "-Tutf8", "-K", "utf8", "-z", "man/" + file});
    EXPECT_EQ(result.exit_code, 0) << file;
    EXPECT_EQ(result.err, "") << file;
  }
  if (!HasCommand("man")) GTEST_SKIP() << "no man here";
  for (const auto& [file, text] : FilesBelow("man")) {
    const Result result =
        RunCommand({"env", "LC_ALL=C.UTF-8", "MANROFFSEQ=", "MANWIDTH=80", "man", "--warnings",
                    "-E", "UTF-8", "-l", "-Tutf8", "-Z", "man/" + file});
    EXPECT_EQ(result.exit_code, 0) << file;
    EXPECT_EQ(result.err, "") << file;
  }
}

}  // namespace
}  // namespace end_to_end
