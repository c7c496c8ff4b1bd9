#include "alcedo/base/escape.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

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
