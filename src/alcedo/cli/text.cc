#include "alcedo/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

// Levenshtein distance, one row of the table at a time.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

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

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  // A third of the letters may differ: more would suggest words that nobody meant.
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

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
