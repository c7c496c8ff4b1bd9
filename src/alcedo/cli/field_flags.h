// Option fields (base/options.h) as command line flags: max_iterations becomes --max-iterations.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

// --threads, all of the machine's by default. `threads` must outlive the app.
void AddThreadsOption(CLI::App& app, int& threads);

// The flag of a field, "--PREFIXmax-iterations" for max_iterations; `negated`: the one that turns
// it off.
std::string FlagName(std::string_view prefix, std::string_view field, bool negated = false);

// Does what `check` does, whose InvalidArgument begins with the name of a field, as a UsageError
// that begins with its flag.
void CheckWithFlags(const std::function<void()>& check);

// Whether a bool gets one flag, the one that changes its default (--PREFIXfield, or
// --PREFIXno-field where it is true), or both: where defaults come from a file, both are needed.
enum class BoolFlags { kChange, kBoth };

// A visitor that gives every field it sees a flag --PREFIXfield. `added` is told of every flag.
struct FieldFlags {
  CLI::App& app;
  std::string prefix;
  std::function<void(CLI::Option*)> added;
  BoolFlags bools = BoolFlags::kChange;

  void operator()(std::string_view field, bool& value, std::string_view help) const {
    if (bools == BoolFlags::kBoth) return AddBoth(field, value, help);
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
  void operator()(std::string_view field, std::uint64_t& value, std::string_view help) const {
    const std::string name = FlagName(prefix, field);
    Add(name, "INTEGER", fmt::format("{} (default {})", help, value),
        [&value, name](const std::string& text) { value = ParseUnsigned(name, text); });
  }
  void operator()(std::string_view field, std::string& value, std::string_view help) const {
    Add(FlagName(prefix, field), "TEXT", fmt::format("{} (default {})", help, value),
        [&value](const std::string& text) { value = text; });
  }
  void operator()(std::string_view field, std::vector<double>& value, std::string_view help) const {
    const std::string name = FlagName(prefix, field);
    const std::string initial =
        value.empty() ? "" : fmt::format(" (default {})", fmt::join(value, ","));
    Add(name, "NUMBER[,NUMBER...]", fmt::format("{}{}", help, initial),
        [&value, name](const std::string& text) { value = ParseDoubles(name, text); });
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
  void AddBoth(std::string_view field, bool& value, std::string_view help) const {
    const std::string name = FlagName(prefix, field);
    CLI::Option* on = app.add_flag_callback(
        name, [&value] { value = true; }, fmt::format("{}{}", help, value ? " (default)" : ""));
    CLI::Option* off = app.add_flag_callback(
        FlagName(prefix, field, true), [&value] { value = false; },
        fmt::format("not {}{}", name, value ? "" : " (default)"));
    off->excludes(on);
    added(on);
    added(off);
  }
};

}  // namespace alcedo::cli
