// The options of one command: its help, its manual page, completion and parsing. A thin face of
// CLI11, which takes long to compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace alcedo::cli {

// Alone, this is a call for the manual page of a command, and a form of --help; so is this,
// followed by words, for what the last of them can become, one a line.
inline constexpr const char* kManPageOption = "--man-page";
inline constexpr const char* kCompleteOption = "--complete-words";

class App {
 public:
  // `name` is "alcedo pool", `footer` what the help says below the options.
  App(const std::string& name, const std::string& description, const std::string& footer);
  App(const App&) = delete;
  App& operator=(const App&) = delete;
  ~App();

  // The heading of the options that follow.
  void Group(const std::string& title);

  // In all of these `name` is "--top", "-o,--output" or "INPUT" (without dashes: an argument), and
  // `type` what the help calls the value; "a|b|c" is a list of choices, which completion offers.
  // Targets must outlive the app.
  void Add(const std::string& name, const std::string& type, const std::string& help,
           std::string& target);
  void Add(const std::string& name, const std::string& type, const std::string& help,
           std::vector<std::string>& target);
  // The text goes through `read`, which may throw UsageError.
  void Add(const std::string& name, const std::string& type, const std::string& help,
           std::function<void(const std::string&)> read);
  void AddFlag(const std::string& name, const std::string& help, bool& target);
  void AddFlag(const std::string& name, const std::string& help, std::function<void()> set);
  // A flag that may have a value, as in --report=FILE; "true" without one.
  void AddFlag(const std::string& name, const std::string& help, std::string& value);
  // --name and --no-name must not both be given.
  void Exclude(const std::string& name, const std::string& other);
  // The first is refused without the second.
  void Need(const std::string& name, const std::string& other);

  // Every mistake is a UsageError, an unknown option with a hint. False if help was asked for: then
  // it is on standard output, and there is nothing to run.
  bool Parse(std::vector<std::string> args);
  bool Given(const std::string& name) const;
  // Whether the command that was parsed last has this flag.
  static bool Knows(const std::string& flag);

  std::string Help() const;
  // What the last of `words` can become, given the words before it (after the name of the command).
  // Nothing if it is a file name or a free value.
  std::vector<std::string> Complete(std::vector<std::string> words) const;
  // The long names of all options, with their dashes.
  std::vector<std::string> Names() const;
  const CLI::App& cli() const { return *app_; }

 private:
  std::unique_ptr<CLI::App> app_;
};

// One of the choices "a|b|c"; UsageError with a hint otherwise.
const std::string& CheckChoice(const std::string& option, const std::string& text,
                               const std::string& choices);

// --threads, all of the machine's by default, and --quiet, which is said to mean `quiet_help`. Both
// targets must outlive the app.
void AddThreads(App& app, int& threads);
void AddRunning(App& app, int& threads, bool& quiet, const std::string& quiet_help);

}  // namespace alcedo::cli
