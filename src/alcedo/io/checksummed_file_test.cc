#include "alcedo/io/checksummed_file.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/io/io_testing.h"

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

TEST(RunningHash, IsTheHashOfAllThatCame) {
  const io_testing::TemporaryFolder folder;
  std::string bytes(700000, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i % 251);
  RunningHash hash;
  EXPECT_EQ(hash.Get(), ContentHash(""));
  for (std::size_t at = 0, size = 1; at < bytes.size(); at += size, size = 3 * size + 1) {
    hash.Add(std::string_view(bytes).substr(at, size));
    EXPECT_EQ(hash.Get(), ContentHash(bytes.substr(0, at + size)));
  }
  io_testing::WriteFile(folder / "a", bytes);
  EXPECT_EQ(FileHash(folder / "a"), ContentHash(bytes));
  for (const std::size_t count : {0, 1, 262144, 262145, 700000}) {
    RunningHash part;
    part.AddFile(folder / "a", static_cast<std::int64_t>(count));
    EXPECT_EQ(part.Get(), ContentHash(bytes.substr(0, count)));
  }
  EXPECT_THROW(RunningHash().AddFile(folder / "a", 700001), FormatError);
  EXPECT_THROW(FileHash(folder / "none"), IoError);
}

}  // namespace
}  // namespace alcedo
