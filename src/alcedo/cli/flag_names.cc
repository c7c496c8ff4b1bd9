#include "alcedo/cli/flag_names.h"

#include <fmt/format.h>

#include <type_traits>

#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/poolings.h"

namespace alcedo::cli {
namespace {

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string WithFlagNames(const PoolingOptions& pooling, std::string message) {
  const std::string prefix = FlagPrefix(pooling);
  const auto replace = [&](std::string_view field, const std::string& flag) {
    ReplaceAll(message, fmt::format("{}.{}", NameOf(pooling), field), flag);
  };
  std::visit(
      [&]<class Options>(const Options&) {
        if constexpr (HasFields<Options>) {
          Options defaults;
          VisitFields(defaults, [&]<class T>(std::string_view field, T& value, std::string_view) {
            // What is on by default has a flag to turn it off.
            if constexpr (std::is_same_v<T, bool>) {
              if (value) replace(fmt::format("{} off", field), FlagName(prefix, field, true));
            }
            replace(field, FlagName(prefix, field));
          });
        }
      },
      pooling);
  // A list of the job, not a field.
  if (std::holds_alternative<GmpOptions>(pooling)) replace("lambda", "--lambda");
  return message;
}

}  // namespace alcedo::cli
