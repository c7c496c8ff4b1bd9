#include "alcedo/config/sealed_json.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

TEST(SealedJson, GivesBackWhatWasSealed) {
  const Json json{{"b", 0.1}, {"a", {1, 2, nullptr}}, {"text", "x\ny"}};
  EXPECT_EQ(ParseSealedJson(SealedJsonText(json), "f"), json);
}

// A byte that changes no value (white space) may change.
TEST(SealedJson, EveryByteOfAValueCounts) {
  const Json json{{"rows", 12}, {"names", {"a", "b"}}, {"c", 0.25}};
  const std::string good = SealedJsonText(json);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    try {
      ASSERT_EQ(ParseSealedJson(bad, "f"), json) << i;
    } catch (const FormatError& error) {
      EXPECT_EQ(error.file(), "f");
    }
  }
}

TEST(SealedJson, RefusesWhatHasNoChecksum) {
  for (const char* text : {"", "{}", "[1]", "{\"rows\": 1}", "{\"checksum\": 3}"}) {
    EXPECT_THROW(ParseSealedJson(text, "f"), FormatError) << text;
  }
}

}  // namespace
}  // namespace alcedo
