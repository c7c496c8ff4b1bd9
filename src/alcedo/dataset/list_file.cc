#include "alcedo/dataset/list_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/plain_text.h"

namespace alcedo::internal {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 26;

template <class Number>
bool Parse(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Damaged text may be anything; a message shows the beginning of it, and no control characters.
std::string Shown(std::string_view text) {
  std::string shown(text.substr(0, 60));
  for (char& c : shown) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return shown + (text.size() > 60 ? "..." : "");
}

}  // namespace

std::string ReadTextFile(const std::filesystem::path& path) {
  return ReadFileBytes(path, ReadLimit{.max_bytes = kMaxBytes, .pipes = false});
}

bool ParseNumber(std::string_view text, double& number) {
  return Parse(text, number) && std::isfinite(number);
}

bool ParseInteger(std::string_view text, std::int64_t& number) { return Parse(text, number); }

std::vector<std::string_view> ListLine::Fields() const {
  std::vector<std::string_view> fields;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
    fields.push_back(rest.substr(0, end));
    rest = Trim(rest.substr(end));
  }
  return fields;
}

std::string_view ListLine::First() const {
  return std::string_view(text).substr(0, std::min(text.find_first_of(kBlanks), text.size()));
}

std::string_view ListLine::Rest() const {
  return Trim(std::string_view(text).substr(First().size()));
}

ListFile::ListFile(const std::filesystem::path& root, std::string name, char comment)
    : path_(root / name), name_(std::move(name)) {
  const std::string bytes = ReadTextFile(path_);
  const std::string_view text = PlainText(bytes, path_.string());
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view trimmed = Trim(text.substr(begin, end - begin));
    ++number;
    begin = end + 1;
    if (trimmed.empty() || (comment != '\0' && trimmed.front() == comment)) continue;
    lines_.push_back({number, std::string(trimmed)});
    const auto control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; };
    if (std::ranges::any_of(trimmed, control)) {
      Fail(lines_.back(), "a list holds text, this line has other bytes");
    }
  }
}

void ListFile::Fail(const ListLine& line, std::string_view what) const {
  throw FormatError(path_.string(), fmt::format("line {}: {}", line.number, what));
}

std::vector<std::string_view> ListFile::Fields(const ListLine& line, std::size_t count) const {
  std::vector<std::string_view> fields = line.Fields();
  if (fields.size() != count) {
    Fail(line, fmt::format("a line has {} fields, this one {}: '{}'", count, fields.size(),
                           Shown(line.text)));
  }
  return fields;
}

int ListFile::Integer(const ListLine& line, std::string_view field, std::string_view what, int low,
                      int high) const {
  std::int64_t value = 0;
  if (!ParseInteger(field, value) || value < low || value > high) {
    Fail(line, fmt::format("{} must be an integer from {} to {}, got '{}'", what, low, high,
                           Shown(field)));
  }
  return static_cast<int>(value);
}

double ListFile::Number(const ListLine& line, std::string_view field, std::string_view what) const {
  double value = 0;
  if (!ParseNumber(field, value)) {
    Fail(line, fmt::format("{} must be a number, got '{}'", what, Shown(field)));
  }
  return value;
}

std::string ListFile::Name(const ListLine& line, std::string_view text) const {
  std::string name(text);
  if (name.empty()) Fail(line, "a name is missing");
  const std::filesystem::path path(name);
  if (path.is_absolute() ||
      std::ranges::any_of(path, [](const auto& part) { return part == ".."; })) {
    Fail(line, fmt::format("'{}' leads out of the dataset", Shown(name)));
  }
  return name;
}

}  // namespace alcedo::internal
