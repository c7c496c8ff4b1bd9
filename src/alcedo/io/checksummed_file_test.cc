#include "alcedo/io/checksummed_file.h"

#include <gtest/gtest.h>

namespace alcedo {
namespace {

// The published value of XXH3 for no bytes: stores and vocabularies of other versions rely on it.
TEST(ContentHash, IsXxh3OfOneHundredAndTwentyEightBits) {
  EXPECT_EQ(ContentHash(""), "99aa06d3014798d86001c324468d497f");
}

TEST(ContentHash, TellsContentsApart) {
  EXPECT_EQ(ContentHash("a"), ContentHash("a"));
  EXPECT_NE(ContentHash("a"), ContentHash("b"));
  EXPECT_NE(ContentHash(std::string(1000, 'x')), ContentHash(std::string(1001, 'x')));
}

}  // namespace
}  // namespace alcedo
