#include "alcedo/cli/app.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "alcedo/base/parallel.h"
#include "alcedo/base/text.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/man_page.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

// Beyond any machine: a system refuses so many threads, or creates them for minutes.
constexpr int kMaxThreads = 1024;

// Help without what goes without saying, and with wrapped descriptions: this version of CLI11
// prints them as one long line.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(38); }

  // That --x and --no-x exclude each other needs no words, and what an option needs is said in its
  // description.
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, std::min(text.find(" Excludes:"), text.find(" Needs:")));
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return Wrap(CLI::Formatter::make_option_desc(option), 100 - get_column_width());
  }

 private:
  // Breaks at the last blank before each `width` characters; CLI11 indents after a line break.
  static std::string Wrap(std::string text, std::size_t width) {
    std::size_t line = 0;
    while (text.size() - line > width) {
      const std::size_t blank = text.rfind(' ', line + width);
      if (blank == std::string::npos || blank <= line) break;
      text[blank] = '\n';
      line = blank + 1;
    }
    return text;
  }
};

// Bash splits --pooling=gmp into three words at the sign; an option and its value are two.
std::vector<std::string> JoinAtEquals(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    if (words[i] != "=" || joined.empty()) {
      joined.push_back(words[i]);
    } else if (last) {
      joined.emplace_back();
    }
  }
  return joined;
}

// Of the command that was parsed last: its errors are worded with its flags.
std::vector<std::string>& KnownFlags() {
  static std::vector<std::string> flags;
  return flags;
}

// `argument`: it came behind "--", which ends the options.
[[noreturn]] void RefuseExtra(const App& app, const std::string& extra, bool argument) {
  if (argument || !extra.starts_with("-")) {
    throw UsageError(fmt::format("unexpected argument '{}'", extra));
  }
  const std::string name = extra.substr(0, extra.find('='));
  throw UsageError(fmt::format("unknown option '{}'{}", name, DidYouMean(name, app.Names())));
}

}  // namespace

App::App(const std::string& name, const std::string& description, const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->footer(footer);
  app_->formatter(std::make_shared<HelpFormatter>());
}

App::~App() = default;

void App::Group(const std::string& title) { app_->option_defaults()->group(title); }

void App::Add(const std::string& name, const std::string& type, const std::string& help,
              std::string& target) {
  app_->add_option(name, target, help)->type_name(type);
}

void App::Add(const std::string& name, const std::string& type, const std::string& help,
              std::vector<std::string>& target) {
  app_->add_option(name, target, help)->type_name(type);
}

void App::Add(const std::string& name, const std::string& type, const std::string& help,
              std::function<void(const std::string&)> read) {
  const auto callback = [read = std::move(read)](const CLI::results_t& results) {
    read(results.at(0));
    return true;
  };
  app_->add_option(name, callback, help)->type_name(type)->expected(1);
}

void App::AddFlag(const std::string& name, const std::string& help, bool& target) {
  app_->add_flag(name, target, help);
}

void App::AddFlag(const std::string& name, const std::string& help, std::function<void()> set) {
  app_->add_flag_callback(name, std::move(set), help);
}

void App::AddFlag(const std::string& name, const std::string& help, std::string& value) {
  app_->add_flag(name, value, help);
}

void App::Exclude(const std::string& name, const std::string& other) {
  app_->get_option(name)->excludes(app_->get_option(other));
}

void App::Need(const std::string& name, const std::string& other) {
  app_->get_option(name)->needs(app_->get_option(other));
}

bool App::Parse(std::vector<std::string> args) {
  if (args == std::vector<std::string>{kManPageOption}) {
    WriteStdout(ManPage(*app_));
    return false;
  }
  if (!args.empty() && args[0] == kCompleteOption) {
    WriteLines(Complete({args.begin() + 1, args.end()}));
    return false;
  }
  KnownFlags() = Names();
  app_->allow_extras();  // refused below, with a hint
  std::reverse(args.begin(), args.end());
  try {
    app_->parse(args);
  } catch (const CLI::CallForHelp&) {
    WriteHelp(app_->help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  // The parser leaves the first "--" among what it does not know.
  std::vector<std::string> extras = app_->remaining();
  const auto mark = std::ranges::find(extras, "--");
  const bool first_is_argument = mark == extras.begin();
  if (mark != extras.end()) extras.erase(mark);
  if (!extras.empty()) RefuseExtra(*this, extras[0], first_is_argument);
  return true;
}

bool App::Given(const std::string& name) const {
  const CLI::Option* option = cli().get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

bool App::Knows(const std::string& flag) { return std::ranges::count(KnownFlags(), flag) > 0; }

std::string App::Help() const { return app_->help(); }

std::vector<std::string> App::Names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : cli().get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> App::Complete(std::vector<std::string> words) const {
  words = JoinAtEquals(words);
  if (words.empty()) return {};
  const std::string& last = words.back();
  if (std::ranges::find(words.begin(), words.end() - 1, "--") != words.end() - 1) return {};
  if (words.size() > 1 && words[words.size() - 2].starts_with("-")) {
    const CLI::Option* option = cli().get_option_no_throw(words[words.size() - 2]);
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    // Options with a fixed set of values name them in their type, "a|b|c".
    if (takes_value && option->get_type_name().find('|') != std::string::npos) {
      return WithPrefix(Split(option->get_type_name(), '|'), last);
    }
    if (takes_value) return {};
  }
  // An option is offered once its first letter is typed; before that, a file is what is wanted.
  return last.starts_with("-") ? WithPrefix(Names(), last) : std::vector<std::string>{};
}

const std::string& CheckChoice(const std::string& option, const std::string& text,
                               const std::string& choices) {
  const std::vector<std::string> known = Split(choices, '|');
  if (std::ranges::count(known, text) > 0) return text;
  throw UsageError(fmt::format("{} must be one of {}, got '{}'{}", option, choices, text,
                               DidYouMean(text, known)));
}

void AddThreads(App& app, int& threads) {
  threads = HardwareThreads();
  app.Add("--threads", "INTEGER", "most threads; the result does not depend on it (default: all)",
          [&threads](const std::string& text) {
            threads = ParseInt("--threads", text);
            RequireUsage(threads >= 1 && threads <= kMaxThreads,
                         fmt::format("--threads must be in [1, {}], got {}", kMaxThreads, text));
          });
}

void AddRunning(App& app, int& threads, bool& quiet, const std::string& quiet_help) {
  app.Group("Running");
  AddThreads(app, threads);
  app.AddFlag("-q,--quiet", quiet_help, quiet);
}

}  // namespace alcedo::cli
