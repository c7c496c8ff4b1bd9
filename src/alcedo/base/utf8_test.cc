#include "alcedo/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace alcedo {
namespace {

// The encoder, from the definition: the bits of the code point, six at a time.
std::string Encode(char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
  if (code < 0x10000) {
    return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
  }
  return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)),
          byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
}

TEST(Utf8, EveryCodePointIsRead) {
  for (char32_t code = 0; code <= 0x10ffff; ++code) {
    const std::string bytes = Encode(code);
    const Utf8Character character = FirstCharacter(bytes + "x");
    if (code >= 0xd800 && code <= 0xdfff) {
      ASSERT_EQ(character.size, 0u) << static_cast<unsigned>(code);
      continue;
    }
    ASSERT_EQ(character.size, bytes.size()) << static_cast<unsigned>(code);
    ASSERT_TRUE(character.code == code) << static_cast<unsigned>(code);
    if (bytes.size() > 1) {
      ASSERT_FALSE(IsUtf8(bytes.substr(0, bytes.size() - 1))) << static_cast<unsigned>(code);
    }
  }
}

// All sequences of up to three bytes: exactly the encodings of code points are well-formed.
TEST(Utf8, NothingElseIsRead) {
  std::size_t two = 0, three = 0;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string bytes{static_cast<char>(a), static_cast<char>(b)};
      two += FirstCharacter(bytes).size == 2;
      for (int c = 0; c < 256; ++c) three += FirstCharacter(bytes + static_cast<char>(c)).size == 3;
    }
  }
  EXPECT_EQ(two, 0x800u - 0x80u);
  EXPECT_EQ(three, 0x10000u - 0x800u - 0x800u);
  for (const char* bad : {"\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                          "\xf8\x88\x80\x80\x80", "\xff", "a\x80"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("caf\u00e9 \u4e2d"));
}

}  // namespace
}  // namespace alcedo
