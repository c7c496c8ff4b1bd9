// The fields of a config (config/config.h) as command line flags, and errors of the library in the
// words of the command line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/config/config.h"
#include "alcedo/pooling/report.h"

namespace alcedo::cli {

// A field in flags: --PREFIXfield, with a prefix only if the field alone would not say enough.
struct FlagParts {
  std::string prefix;
  std::string field;
};
FlagParts FlagPartsOf(std::string_view section, std::string_view field);

// The flag of an option as the library names it: "--max-iterations" for "gmp.max_iterations".
std::string FlagOf(std::string_view option);

// A flag with a value, as it is typed: "--kind gmm", and of a bool "--l2" or "--no-l2".
std::string FlagWithValue(std::string_view option, std::string_view value);

// "; HINT", with flags for the options of the command; empty if there is none.
std::string Advice(const Hint& hint);

// An error in one sentence, with flags for the options of the command that was parsed last:
// "--max-iterations must be >= 1, got 0; HINT".
std::string ErrorText(const Error& error);

// The place of a flag in the help, and the choice that it belongs to.
struct FlagPlace {
  std::string group;
  std::string choice = "";               // a field without a section, such as "encoder"
  std::vector<std::string> values = {};  // of that field; empty: the flag goes with all
};
using FlagPlaces = std::function<FlagPlace(std::string_view section, std::string_view field)>;

// The place of what belongs to one value of a choice.
FlagPlace OnlyFor(std::string choice, std::string value);

// The same for the section of a member of a set: of "sift" for the choice "descriptor". Nothing if
// no member has that section.
template <AnyChoice C>
std::optional<FlagPlace> PlaceInSet(const std::string& choice, std::string_view section) {
  for (const Label& label : C::kLabels) {
    std::string name(label.name);
    std::ranges::replace(name, '-', '_');
    if (name == section) return OnlyFor(choice, std::string(label.name));
  }
  return std::nullopt;
}

// The names of all members of a set but one.
template <AnyChoice C, class Member>
std::vector<std::string> NamesBut() {
  std::vector<std::string> names;
  for (const Label& label : C::kLabels) {
    if (label.name != Member::kLabel.name) names.emplace_back(label.name);
  }
  return names;
}

struct PlacedFlag {
  std::string name;
  FlagPlace place;
};

// Adds flags for every field of `config`, whose values are the defaults and which must outlive the
// app.
template <class Config>
std::vector<PlacedFlag> AddConfigFlags(App& app, Config& config, const FlagPlaces& places) {
  std::vector<PlacedFlag> flags;
  VisitSections(config, [&](std::string_view section, auto&& fields) {
    fields([&](std::string_view field, auto& value, std::string_view help) {
      const FlagPlace place = places(section, field);
      app.Group(place.group);
      const FlagParts parts = FlagPartsOf(section, field);
      const FieldFlags add{app, parts.prefix,
                           [&](const std::string& name) { flags.push_back({name, place}); },
                           BoolFlags::kBoth};
      add(parts.field, value, help);
    });
  });
  return flags;
}

// Refuses flags that were given but belong to another choice than the one made. `config` is that
// of ToJson(). What a file says of other choices does not matter: it may serve several.
void CheckPlaces(const App& app, const std::vector<PlacedFlag>& flags, const Json& config);

// Where the values of a config come from: flags of `app`, or a --config file.
struct ConfigOrigin {
  const App& app;
  std::string file = "";  // none
  Json from_file = Json::object();
};

// Does what `check` does. If it refuses an option that was given as a flag, that is a UsageError
// which begins with the flag; one that a file has is named as the file has it.
void CheckConfig(const ConfigOrigin& origin, const std::function<void()>& check);
// The same for options that have a flag each, and no file.
void CheckFlags(const App& app, const std::function<void()>& check);

// The range of lambda over all images, for summaries.
class LambdaRange {
 public:
  void Add(double absolute, double relative);
  void Add(std::span<const SolveReport> reports);
  void Add(const LambdaRange& other);

  // "lambda 4 (relative 0.1)", "lambda 4 to 7 (relative 0.1)"; "" if none was added.
  std::string Text() const;

 private:
  struct Range {
    double low = 0, high = 0;
  };
  bool any_ = false;
  Range absolute_, relative_;
};

}  // namespace alcedo::cli
