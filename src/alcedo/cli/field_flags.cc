#include "alcedo/cli/field_flags.h"

#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

// Beyond any machine: a system refuses so many threads, or creates them for minutes.
constexpr int kMaxThreads = 1024;

}  // namespace

const std::string& CheckChoice(const std::string& option, const std::string& text,
                               const std::string& choices) {
  const std::vector<std::string> known = CLI::detail::split(choices, '|');
  for (const std::string& choice : known) {
    if (choice == text) return text;
  }
  throw UsageError(fmt::format("{} must be one of {}, got '{}'{}", option, choices, text,
                               DidYouMean(text, known)));
}

std::string FlagName(std::string_view prefix, std::string_view field, bool negated) {
  std::string name = fmt::format("--{}{}{}", prefix, negated ? "no-" : "", field);
  for (char& c : name) c = c == '_' ? '-' : c;
  return name;
}

void CheckWithFlags(const std::function<void()>& check) {
  try {
    check();
  } catch (const InvalidArgument& error) {
    const std::string message = error.what();
    const std::size_t end = message.find(' ');
    throw UsageError(FlagName("", message.substr(0, end)) + message.substr(end));
  }
}

CLI::Option* AddTextOption(CLI::App& app, const std::string& name, const std::string& type,
                           const std::string& help, std::function<void(const std::string&)> read) {
  const auto callback = [read = std::move(read)](const CLI::results_t& results) {
    read(results.at(0));
    return true;
  };
  return app.add_option(name, callback, help)->type_name(type)->expected(1);
}

void AddThreadsOption(CLI::App& app, int& threads) {
  threads = HardwareThreads();
  AddTextOption(
      app, "--threads", "INTEGER", "most threads; the result does not depend on it (default: all)",
      [&threads](const std::string& text) {
        threads = ParseInt("--threads", text);
        RequireUsage(threads >= 1 && threads <= kMaxThreads,
                     fmt::format("--threads must be in [1, {}], got {}", kMaxThreads, text));
      });
}

}  // namespace alcedo::cli
