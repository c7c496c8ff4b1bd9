#include "alcedo/config/toml_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

constexpr int kMaxParts = 8;

bool IsBare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '+';
}

// The end of the string that begins at `at`, behind its last quote. One that does not end is an
// error that the parser words.
std::size_t EndOfString(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool long_one = text.substr(at).starts_with(three);
  const std::string_view end = long_one ? std::string_view(three) : text.substr(at, 1);
  for (at += end.size(); at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (!long_one && text[at] == '\n') {
      return at;
    } else if (text.substr(at).starts_with(end)) {
      return at + end.size();
    }
  }
  return text.size();
}

}  // namespace

void CheckTomlKeys(std::string_view text, const std::string& file) {
  int parts = 0;        // of what may be a key, so far
  bool joined = false;  // by a dot to what comes next
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto refuse = [&](const std::string& what) {
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      throw FormatError(file, fmt::format("is not a file of options: line {}: {}", line, what));
    };
    if (static_cast<unsigned char>(c) >= 0x80) {
      refuse("a letter that is not ASCII must be inside of quotes, or of a comment");
    }
    if (c == ' ' || c == '\t') {
      ++at;
      continue;
    }
    if (c == '.') {
      joined = true;
      ++at;
      continue;
    }
    if (c != '"' && c != '\'' && !IsBare(c)) {
      parts = 0;
      joined = false;
      at = c == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
      continue;
    }
    parts = joined ? parts + 1 : 1;
    joined = false;
    if (parts > kMaxParts) refuse(fmt::format("a key has more than {} parts", kMaxParts));
    if (c == '"' || c == '\'') {
      at = EndOfString(text, at);
    } else {
      while (at < text.size() && IsBare(text[at])) ++at;
    }
  }
}

}  // namespace alcedo::internal
