#include "alcedo/io/plain_text.h"

#include <algorithm>
#include <array>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

// Paths and numbers are mostly ASCII, which has a zero byte in every character of UTF-16. Paths
// that NUL bytes separate have one in every other pair of bytes at most, if they are not single
// letters.
bool IsUtf16(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
  constexpr std::size_t kCharacters = 128;
  const std::size_t characters = std::min(bytes.size() / 2, kCharacters);
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < 2 * characters; ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  const auto [fewer, more] = std::ranges::minmax(zeros);
  return fewer == 0 && 2 * more > characters;
}

}  // namespace

std::string_view PlainText(std::string_view bytes, const std::string& file) {
  if (bytes.starts_with(kUtf8Mark)) return bytes.substr(kUtf8Mark.size());
  if (IsUtf16(bytes))
    throw FormatError(file, "is UTF-16 text, and UTF-8 is needed; save it as that");
  return bytes;
}

}  // namespace alcedo
