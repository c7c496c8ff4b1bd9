#include "alcedo/base/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace alcedo {
namespace {

TEST(Format, Thousands) {
  EXPECT_EQ(Thousands(0), "0");
  EXPECT_EQ(Thousands(999), "999");
  EXPECT_EQ(Thousands(1000), "1,000");
  EXPECT_EQ(Thousands(-123), "-123");
  EXPECT_EQ(Thousands(-1234567), "-1,234,567");
  EXPECT_EQ(Thousands(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Format, FileSize) {
  EXPECT_EQ(FileSize(0), "0 bytes");
  EXPECT_EQ(FileSize(999), "999 bytes");
  EXPECT_EQ(FileSize(1500), "1.5 KB");
  EXPECT_EQ(FileSize(215'000), "215 KB");
  EXPECT_EQ(FileSize(2'500'000'000), "2.5 GB");
  EXPECT_EQ(FileSize(5'000'000'000'000'000), "5000 TB");
}

TEST(Format, FirstOf) {
  EXPECT_EQ(FirstOf({}), "");
  EXPECT_EQ(FirstOf({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(FirstOf({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

}  // namespace
}  // namespace alcedo
