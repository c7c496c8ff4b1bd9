#include "alcedo/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

template <class T>
T Parse(std::string_view option, std::string_view text, std::string_view kind) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    throw UsageError(fmt::format("{}: '{}' is out of range", option, text));
  }
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw UsageError(fmt::format("{}: '{}' is not {}", option, text, kind));
  }
  return value;
}

}  // namespace

std::string Version() { return ALCEDO_VERSION; }

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> WithPrefix(const std::vector<std::string>& candidates,
                                    const std::string& prefix) {
  std::vector<std::string> matching;
  std::ranges::copy_if(candidates, std::back_inserter(matching),
                       [&](const std::string& word) { return word.starts_with(prefix); });
  return matching;
}

double ParseDouble(std::string_view option, std::string_view text) {
  return Parse<double>(option, text, "a number");
}

int ParseInt(std::string_view option, std::string_view text) {
  return Parse<int>(option, text, "an integer");
}

std::uint64_t ParseUnsigned(std::string_view option, std::string_view text) {
  return Parse<std::uint64_t>(option, text, "an integer >= 0");
}

std::vector<double> ParseDoubles(std::string_view option, std::string_view text) {
  std::vector<double> numbers;
  for (const std::string& part : Split(text, ',')) numbers.push_back(ParseDouble(option, part));
  return numbers;
}

}  // namespace alcedo::cli
