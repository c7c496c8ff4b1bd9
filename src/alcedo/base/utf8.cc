#include "alcedo/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace alcedo {

Utf8Character FirstCharacter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xc2 || lead > 0xf4) return {};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (text.size() < size) return {};
  // The second byte tells overlong forms, surrogates and what lies beyond U+10FFFF.
  const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high) return {};
  char32_t code = lead & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  return {code, size};
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = FirstCharacter(text).size;
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace alcedo

namespace alcedo::internal {
namespace {

unsigned Byte(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

// A printable ASCII character other than the backslash.
bool IsPlain(char c) { return c >= 0x20 && c < 0x7f && c != '\\'; }

// The length of the printable character of several bytes at the start of `bytes`; 0 if there is
// none. U+0080 to U+009F are control characters.
std::size_t SequenceLength(std::string_view bytes) {
  const Utf8Character character = FirstCharacter(bytes);
  return character.code >= 0xa0 ? character.size : 0;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string EscapeText(std::string_view bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), IsPlain)) return std::string(bytes);
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = IsPlain(bytes[i]) ? 1 : SequenceLength(bytes.substr(i));
    text += bytes.substr(i, length);
    i += length;
    if (length > 0) continue;
    text += bytes[i] == '\\' ? "\\\\" : fmt::format("\\x{:02x}", Byte(bytes, i));
    ++i;
  }
  return text;
}

std::optional<std::string> UnescapeText(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
    } else if (text.substr(i + 1).starts_with('\\')) {
      bytes += text[++i];
    } else {
      if (text.size() - i < 4 || text[i + 1] != 'x') return std::nullopt;
      const int high = HexDigit(text[i + 2]), low = HexDigit(text[i + 3]);
      if (high < 0 || low < 0) return std::nullopt;
      bytes += static_cast<char>(16 * high + low);
      i += 3;
    }
  }
  return bytes;
}

}  // namespace alcedo::internal
