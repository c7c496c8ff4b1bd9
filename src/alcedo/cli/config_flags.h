// The fields of a config (pipeline/config.h) as command line flags.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/cli/field_flags.h"
#include "alcedo/config/config.h"

namespace alcedo::cli {

// A field in flags: --PREFIXfield, with a prefix only where the field alone would not say enough.
struct FlagParts {
  std::string prefix;
  std::string field;
};
FlagParts FlagPartsOf(std::string_view section, std::string_view field);

// Where a flag stands in the help, and the choice that it belongs to.
struct FlagPlace {
  std::string group;
  std::string choice = "";               // a field without a section, such as "encoder"
  std::vector<std::string> values = {};  // of that field; empty: the flag goes with all
};
using FlagPlaces = std::function<FlagPlace(std::string_view section, std::string_view field)>;

// The place of what belongs to one value of a choice.
FlagPlace OnlyFor(std::string choice, std::string value);

struct PlacedFlag {
  const CLI::Option* option;
  FlagPlace place;
};

// Adds flags for every field of `config`, whose values are the defaults and which must outlive the
// app.
template <class Config>
std::vector<PlacedFlag> AddConfigFlags(CLI::App& app, Config& config, const FlagPlaces& places) {
  std::vector<PlacedFlag> flags;
  VisitSections(config, [&](std::string_view section, auto&& fields) {
    fields([&](std::string_view field, auto& value, std::string_view help) {
      const FlagPlace place = places(section, field);
      app.option_defaults()->group(place.group);
      const FlagParts parts = FlagPartsOf(section, field);
      const FieldFlags add{app, parts.prefix,
                           [&](CLI::Option* option) { flags.push_back({option, place}); },
                           BoolFlags::kBoth};
      add(parts.field, value, help);
    });
  });
  return flags;
}

// Refuses flags that were given but belong to another choice than the one made. `config` is that
// of ToJson(). What a file says of other choices does not matter: it may serve several.
void CheckPlaces(const std::vector<PlacedFlag>& flags, const Json& config);

// Where the values of a config come from: flags of `app`, or a --config file.
struct ConfigOrigin {
  const CLI::App& app;
  std::string file = "";  // none
  Json from_file = Json::object();
};

// Does what `check` does. Its "FIELD must be RULE" is a UsageError that begins with the flag where
// that was given, and where a file has the value it names the file and the field; everything else
// stays an InvalidArgument, with flags for fields.
void CheckConfig(const ConfigOrigin& origin, const Json& config,
                 const std::function<void()>& check);

// `message` of the library with --max-iterations for gmp.max_iterations, --fv-assignment for
// fisher.assignment and so on.
std::string WithConfigFlags(std::string message, const Json& config);

}  // namespace alcedo::cli
