#include "alcedo/io/plain_text.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

using namespace std::string_literals;

// Every ASCII character as two bytes.
std::string Utf16(const std::string& text, bool little) {
  std::string bytes;
  for (const char c : text) bytes += little ? std::string{c, '\0'} : std::string{'\0', c};
  return bytes;
}

TEST(PlainText, LosesItsByteOrderMarkAndNothingElse) {
  EXPECT_EQ(PlainText("\xef\xbb\xbf"
                      "a.png\n",
                      "l"),
            "a.png\n");
  EXPECT_EQ(PlainText("\xef\xbb\xbf", "l"), "");
  for (const std::string& text : {""s, "a"s, "\xef\xbb"s, "a.png\nb\xff\xfe.png\n"s,
                                  "a.png\0b.png\0"s, "\0"s, "a/b\0c/d\0"s}) {
    EXPECT_EQ(PlainText(text, "l"), text);
  }
}

TEST(PlainText, InUtf16IsRefusedByName) {
  for (const std::string& text :
       {"\xff\xfe"s + Utf16("a.png\n", true), "\xfe\xff"s + Utf16("a.png\n", false),
        Utf16("photos/a.png\n", true), Utf16("photos/a.png\n", false), "\xff\xfe"s}) {
    try {
      PlainText(text, "list.txt");
      FAIL();
    } catch (const FormatError& error) {
      EXPECT_EQ(error.file(), "list.txt");
      EXPECT_NE(error.reason().find("UTF-16"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace alcedo
