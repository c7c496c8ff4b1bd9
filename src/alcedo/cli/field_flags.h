// Option fields (base/options.h) as command line flags: max_iterations becomes --max-iterations.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <string_view>

#include "alcedo/base/options.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {

// The choices of an enum as a CLI11 type name, "a|b|c": help shows it and completion splits it.
template <NamedEnum E>
std::string Choices() {
  std::string choices;
  for (const auto& [value, name] : EnumNames<E>::values) {
    if (!choices.empty()) choices += '|';
    choices += name;
  }
  return choices;
}

// One of the choices "a|b|c"; UsageError with a hint otherwise.
const std::string& CheckChoice(const std::string& option, const std::string& text,
                               const std::string& choices);

// Adds an option whose text goes through `read`, which may throw UsageError.
CLI::Option* AddTextOption(CLI::App& app, const std::string& name, const std::string& type,
                           const std::string& help, std::function<void(const std::string&)> read);

// The flag of a field, "--PREFIXmax-iterations" for max_iterations; `negated`: the one that turns
// it off.
std::string FlagName(std::string_view prefix, std::string_view field, bool negated = false);

// A visitor that gives every field it sees a flag --PREFIXfield. A bool that is true by default
// gets
// --PREFIXno-field. `added` is told of every flag.
struct FieldFlags {
  CLI::App& app;
  std::string prefix;
  std::function<void(CLI::Option*)> added;

  void operator()(std::string_view field, bool& value, std::string_view help) const {
    const bool initial = value;
    const std::string name = FlagName(prefix, field, initial);
    added(app.add_flag_callback(
        name, [&value, initial] { value = !initial; },
        fmt::format("{}{}", initial ? "do not " : "", help)));
  }
  void operator()(std::string_view field, int& value, std::string_view help) const {
    const std::string name = FlagName(prefix, field);
    Add(name, "INTEGER", fmt::format("{} (default {})", help, value),
        [&value, name](const std::string& text) { value = ParseInt(name, text); });
  }
  void operator()(std::string_view field, double& value, std::string_view help) const {
    const std::string name = FlagName(prefix, field);
    Add(name, "NUMBER", fmt::format("{} (default {})", help, value),
        [&value, name](const std::string& text) { value = ParseDouble(name, text); });
  }
  template <NamedEnum E>
  void operator()(std::string_view field, E& value, std::string_view help) const {
    const std::string name = FlagName(prefix, field);
    Add(name, Choices<E>(), fmt::format("{} (default {})", help, Name(value)),
        [&value, name](const std::string& text) {
          value = ParseEnum<E>(name, CheckChoice(name, text, Choices<E>()));
        });
  }

 private:
  void Add(const std::string& name, const std::string& type, const std::string& help,
           std::function<void(const std::string&)> read) const {
    added(AddTextOption(app, name, type, help, std::move(read)));
  }
};

}  // namespace alcedo::cli
