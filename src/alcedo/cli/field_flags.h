// Option fields (base/options.h) as command line flags: max_iterations becomes --max-iterations.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/options.h"
#include "alcedo/cli/app.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {

// The choices of an enum or of a set as "a|b|c": help shows it and completion splits it.
template <NamedEnum E>
std::string Choices() {
  std::string choices;
  for (const auto& [value, name] : EnumNames<E>::values) {
    choices += fmt::format("{}{}", choices.empty() ? "" : "|", name);
  }
  return choices;
}
template <AnyChoice C>
std::string Choices() {
  std::string choices;
  for (const Label& label : C::kLabels) {
    choices += fmt::format("{}{}", choices.empty() ? "" : "|", label.name);
  }
  return choices;
}

// A flag whose text is one of the names of an enum.
template <NamedEnum E>
void AddChoice(App& app, const std::string& name, const std::string& help, E& value) {
  app.Add(name, Choices<E>(), help, [&value, name](const std::string& text) {
    value = ParseEnum<E>(name, CheckChoice(name, text, Choices<E>()));
  });
}

// The flag of a field, "--PREFIXmax-iterations" for max_iterations; `negated`: the one that turns
// it off.
std::string FlagName(std::string_view prefix, std::string_view field, bool negated = false);

// Whether a bool gets one flag, the one that changes its default (--PREFIXfield, or
// --PREFIXno-field if it is true), or both: if defaults come from a file, both are needed.
enum class BoolFlags { kChange, kBoth };

// A visitor that gives every field it sees a flag --PREFIXfield. `added` is told the name of every
// flag; it may be empty.
struct FieldFlags {
  App& app;
  std::string prefix;
  std::function<void(const std::string&)> added = nullptr;
  BoolFlags bools = BoolFlags::kChange;

  void operator()(std::string_view field, bool& value, std::string_view help) const {
    if (bools == BoolFlags::kBoth) return AddBoth(field, value, help);
    const bool initial = value;
    const std::string name = FlagName(prefix, field, initial);
    app.AddFlag(name, fmt::format("{}{}", initial ? "do not " : "", help),
                [&value, initial] { value = !initial; });
    Tell(name);
  }
  void operator()(std::string_view field, int& value, std::string_view help) const {
    Add(field, "INTEGER", fmt::format("{} (default {})", help, value),
        [&value](const std::string& name, const std::string& text) {
          value = ParseInt(name, text);
        });
  }
  void operator()(std::string_view field, double& value, std::string_view help) const {
    Add(field, "NUMBER", fmt::format("{} (default {})", help, value),
        [&value](const std::string& name, const std::string& text) {
          value = ParseDouble(name, text);
        });
  }
  void operator()(std::string_view field, std::uint64_t& value, std::string_view help) const {
    Add(field, "INTEGER", fmt::format("{} (default {})", help, value),
        [&value](const std::string& name, const std::string& text) {
          value = ParseUnsigned(name, text);
        });
  }
  void operator()(std::string_view field, std::string& value, std::string_view help) const {
    Add(field, "TEXT", fmt::format("{} (default {})", help, value),
        [&value](const std::string&, const std::string& text) { value = text; });
  }
  void operator()(std::string_view field, std::vector<double>& value, std::string_view help) const {
    const std::string initial =
        value.empty() ? "" : fmt::format(" (default {})", fmt::join(value, ","));
    Add(field, "NUMBER[,NUMBER...]", fmt::format("{}{}", help, initial),
        [&value](const std::string& name, const std::string& text) {
          // Whether it may be empty is for Check() to say.
          value = text == "none" ? std::vector<double>() : ParseDoubles(name, text);
        });
  }
  template <NamedEnum E>
  void operator()(std::string_view field, E& value, std::string_view help) const {
    Add(field, Choices<E>(), fmt::format("{} (default {})", help, Name(value)),
        [&value](const std::string& name, const std::string& text) {
          value = ParseEnum<E>(name, CheckChoice(name, text, Choices<E>()));
        });
  }
  template <AnyChoice C>
  void operator()(std::string_view field, C& value, std::string_view help) const {
    Add(field, Choices<C>(), fmt::format("{} (default {})", help, value.name()),
        [&value](const std::string& name, const std::string& text) {
          value.Choose(CheckChoice(name, text, Choices<C>()));
        });
  }

 private:
  using Read = std::function<void(const std::string& name, const std::string& text)>;

  void Tell(const std::string& name) const {
    if (added) added(name);
  }
  void Add(std::string_view field, const std::string& type, const std::string& help,
           const Read& read) const {
    const std::string name = FlagName(prefix, field);
    app.Add(name, type, help, [read, name](const std::string& text) { read(name, text); });
    Tell(name);
  }
  void AddBoth(std::string_view field, bool& value, std::string_view help) const {
    const std::string on = FlagName(prefix, field), off = FlagName(prefix, field, true);
    app.AddFlag(on, fmt::format("{}{}", help, value ? " (default)" : ""),
                [&value] { value = true; });
    app.AddFlag(off, fmt::format("not {}{}", on, value ? "" : " (default)"),
                [&value] { value = false; });
    app.Exclude(off, on);
    Tell(on);
    Tell(off);
  }
};

}  // namespace alcedo::cli
