#include "alcedo/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

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

std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), IsControl, '?');
  return line;
}

std::string SafeFileName(std::string_view name) {
  std::string safe(name);
  std::replace_if(safe.begin(), safe.end(), [](char c) { return c == '/' || IsControl(c); }, '_');
  if (safe.empty() || safe[0] == '.') safe = fmt::format("_{}", safe);
  return safe;
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
  while (true) {
    const std::size_t comma = text.find(',');
    numbers.push_back(ParseDouble(option, text.substr(0, comma)));
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace alcedo::cli
