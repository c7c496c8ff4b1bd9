#include "alcedo/cli/parse_app.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/man_page.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/style.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

[[noreturn]] void RefuseExtra(const CLI::App& app, const std::string& extra) {
  if (!extra.starts_with("-")) {
    throw UsageError(fmt::format("unexpected argument '{}'", extra));
  }
  const std::string name = extra.substr(0, extra.find('='));
  throw UsageError(fmt::format("unknown option '{}'{}", name, DidYouMean(name, OptionNames(app))));
}

}  // namespace

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool ParseApp(CLI::App& app, std::vector<std::string> args) {
  if (args == std::vector<std::string>{kManPageOption}) {
    WriteStdout(ManPage(app));
    return false;
  }
  app.allow_extras();  // refused below, with a hint
  std::reverse(args.begin(), args.end());
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp&) {
    WriteHelp(app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  const std::vector<std::string> extras = app.remaining();
  if (!extras.empty()) RefuseExtra(app, extras[0]);
  return true;
}

}  // namespace alcedo::cli
