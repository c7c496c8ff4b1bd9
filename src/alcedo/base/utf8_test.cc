#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <random>
#include <string>

#include "alcedo/base/utf8.h"

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

namespace alcedo::internal {
namespace {

TEST(EscapeText, LeavesPrintableUtf8) {
  const std::string text = "a b,\"c\"/%41~ \xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa6 \xc2\xa0";
  EXPECT_EQ(EscapeText(text), text);
  EXPECT_EQ(EscapeText(""), "");
}

TEST(EscapeText, EscapesBackslashesAndControlCharacters) {
  EXPECT_EQ(EscapeText("a\\b"), R"(a\\b)");
  EXPECT_EQ(EscapeText("\\x41"), R"(\\x41)");
  EXPECT_EQ(EscapeText(std::string("\0\n\x1f\x7f", 4)), R"(\x00\x0a\x1f\x7f)");
  EXPECT_EQ(EscapeText("\xc2\x9b"), R"(\xc2\x9b)");
}

// The borders of table 3-7 of the Unicode standard.
TEST(EscapeText, EscapesWhatIsNoUtf8) {
  for (const char* good : {"\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(EscapeText(good), good);
  }
  EXPECT_EQ(EscapeText("\xff"), R"(\xff)");
  EXPECT_EQ(EscapeText("\x80z"), R"(\x80z)");
  EXPECT_EQ(EscapeText("\xc1\xbf"), R"(\xc1\xbf)");                  // overlong
  EXPECT_EQ(EscapeText("\xe0\x9f\xbf"), R"(\xe0\x9f\xbf)");          // overlong
  EXPECT_EQ(EscapeText("\xf0\x8f\xbf\xbf"), R"(\xf0\x8f\xbf\xbf)");  // overlong
  EXPECT_EQ(EscapeText("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // a surrogate
  EXPECT_EQ(EscapeText("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond U+10FFFF
  EXPECT_EQ(EscapeText("\xf5\x80\x80\x80"), R"(\xf5\x80\x80\x80)");
  EXPECT_EQ(EscapeText("\xe2\x82"), R"(\xe2\x82)");  // cut off
  EXPECT_EQ(EscapeText("\xe2\x82z\xc3\xa9"), "\\xe2\\x82z\xc3\xa9");
  EXPECT_EQ(EscapeText("\xc3\xa9\xff"), "\xc3\xa9\\xff");
}

TEST(EscapeText, AnyBytesComeBackThroughJson) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    // Mostly bytes that make sequences, escapes or control characters.
    constexpr char kBytes[] = "\\x41f\xc2\xa0\x80\xbf\xe0\xed\xf0\xf4\x8f\x90\n\xff\x7f\x20";
    std::string bytes;
    for (int size = static_cast<int>(random() % 8); size > 0; --size) {
      bytes += random() % 8 == 0 ? static_cast<char>(random()) : kBytes[random() % sizeof kBytes];
    }
    const std::string text = EscapeText(bytes);
    for (const char c : text) ASSERT_FALSE((c >= 0 && c < 0x20) || c == 0x7f);
    std::string dumped;
    ASSERT_NO_THROW(dumped = nlohmann::json(text).dump()) << text;  // refuses what is no UTF-8
    const auto back = UnescapeText(nlohmann::json::parse(dumped).get<std::string>());
    ASSERT_TRUE(back);
    ASSERT_EQ(*back, bytes);
  }
}

TEST(UnescapeText, RefusesUnknownEscapes) {
  for (const char* text :
       {"\\", "a\\", "\\n", "\\x", "\\x4", "\\x4g", "\\xg4", "\\x4A", "\\\\\\"}) {
    EXPECT_FALSE(UnescapeText(text)) << text;
  }
  EXPECT_EQ(UnescapeText("\\\\x41\\x41"), "\\x41A");
}

}  // namespace
}  // namespace alcedo::internal
