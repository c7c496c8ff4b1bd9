#include "alcedo/report/markup_text.h"

#include <algorithm>
#include <cstdint>

namespace alcedo::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// How many bytes the well-formed UTF-8 character at the start of `text` has; 0 if there is none or
// XML does not allow it.
std::size_t CharacterSize(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[size] || surrogate || code > 0x10FFFF) return 0;
  // C1 controls, and two code points that XML forbids.
  if (code < 0xA0 || code == 0xFFFE || code == 0xFFFF) return 0;
  // Marks that turn the direction of all that follows.
  if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return 0;
  return size;
}

}  // namespace

std::string CleanText(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t size = CharacterSize(text);
    if (size > 0) {
      clean += text.substr(0, size);
    } else {
      const char c = text[0];
      clean += c == '\n' || c == '\r' || c == '\t' ? " " : kReplacement;
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return clean;
}

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : CleanText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string MarkdownEscape(std::string_view text) {
  std::string escaped;
  const std::string clean = CleanText(text);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    // "p < 0.05" opens no tag, and reads better as it is.
    if (c == '<' && clean[std::min(i + 1, clean.size() - 1)] != ' ') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#$").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string Unbroken(std::string text, char sign) {
  const std::string loose = {' ', sign, ' '};
  for (std::size_t at; (at = text.find(loose)) != std::string::npos;) {
    text.replace(at, 3, std::string("\u00A0") + sign + "\u00A0");
  }
  return text;
}

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace alcedo::report
