#include "alcedo/learn/sample_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/io/io_testing.h"

namespace alcedo::internal {
namespace {

using io_testing::MessageOf;
using io_testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<float> Counting(Index count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5f);
  return values;
}

TEST(AppendFile, CutsWhatIsBeyondTheSizeAndGoesOnThere) {
  const TemporaryFolder folder;
  {
    AppendFile file(folder / "a", 0);
    file.Append("0123456789");
    file.Sync();
    EXPECT_EQ(file.size(), 10);
  }
  AppendFile file(folder / "a", 4);
  file.Append("xy");
  file.Append("");
  EXPECT_EQ(file.size(), 6);
  EXPECT_EQ(io_testing::ReadFile(folder / "a"), "0123xy");
}

TEST(AppendFile, RefusesAFileThatLostBytes) {
  const TemporaryFolder folder;
  io_testing::WriteFile(folder / "a", "123");
  EXPECT_THAT(MessageOf<FormatError>([&] { AppendFile(folder / "a", 5); }),
              AllOf(HasSubstr("/a: "), HasSubstr("at least 5 bytes, got 3")));
  EXPECT_EQ(io_testing::ReadFile(folder / "a"), "123");
}

TEST(AppendFile, RefusesAFileWhoseBytesChanged) {
  const TemporaryFolder folder;
  std::string hash;
  {
    AppendFile file(folder / "a", 0, ContentHash(""));
    file.Append("0123");
    file.Append("45");
    hash = file.hash();
    EXPECT_EQ(hash, ContentHash("012345"));
    file.Append("6789");
  }
  EXPECT_EQ(AppendFile(folder / "a", 6, hash).hash(), hash);
  io_testing::WriteFile(folder / "a", "01x345");
  EXPECT_THAT(MessageOf<FormatError>([&] { AppendFile(folder / "a", 6, hash); }),
              AllOf(HasSubstr("/a: "), HasSubstr("checksum")));
  EXPECT_EQ(io_testing::ReadFile(folder / "a"), "01x345");
}

TEST(AppendFile, NamesWhatCannotBeOpened) {
  const TemporaryFolder folder;
  EXPECT_THAT(MessageOf<IoError>([&] { AppendFile(folder / "no/a", 0); }),
              AllOf(HasSubstr("no/a"), HasSubstr("No such file")));
}

TEST(SampleFile, GivesBackEveryRowFromAnyThreadInAnyChunks) {
  const TemporaryFolder folder;
  constexpr Index kRows = 1001, kDimension = 7;
  const std::vector<float> values = Counting(kRows * kDimension);
  AppendFile(folder / "s", 0).Append(values.data(), kRows * kDimension);
  const SampleSource source = OpenSampleFile(folder / "s", kRows, kDimension);
  ASSERT_EQ(source.rows(), kRows);
  ASSERT_EQ(source.dimension(), kDimension);
  for (const Index chunk : {1, 10, 333, 1001}) {
    ParallelFor((kRows + chunk - 1) / chunk, 3, [&](Index i) {
      const Index begin = i * chunk, count = std::min(chunk, kRows - begin);
      Rows scratch;
      const float* rows = source.Chunk(begin, count, scratch);
      for (Index j = 0; j < count * kDimension; ++j) {
        ASSERT_EQ(rows[j], values[begin * kDimension + j]);
      }
    });
  }
}

TEST(SampleFile, OutlivesItsNameAndItsFirstCopy) {
  const TemporaryFolder folder;
  AppendFile(folder / "s", 0).Append(Counting(6).data(), 6);
  auto first = std::make_unique<SampleSource>(OpenSampleFile(folder / "s", 2, 3));
  const SampleSource copy = *first;
  first.reset();
  std::filesystem::remove(folder / "s");
  Rows scratch;
  EXPECT_EQ(copy.Chunk(1, 1, scratch)[0], 3.5f);
}

TEST(SampleFile, RefusesASizeThatDoesNotFit) {
  const TemporaryFolder folder;
  AppendFile(folder / "s", 0).Append(Counting(6).data(), 6);
  EXPECT_THAT(MessageOf<FormatError>([&] { OpenSampleFile(folder / "s", 3, 3); }),
              AllOf(HasSubstr("/s: "), HasSubstr("36 bytes for 3 rows of 3 values, got 24")));
  EXPECT_THROW(OpenSampleFile(folder / "s", 1, 3), FormatError);
  EXPECT_THROW(OpenSampleFile(folder / "none", 1, 3), IoError);
}

TEST(SampleFile, SaysSoWhenItIsCutWhileItIsRead) {
  const TemporaryFolder folder;
  AppendFile(folder / "s", 0).Append(Counting(6).data(), 6);
  const SampleSource source = OpenSampleFile(folder / "s", 2, 3);
  AppendFile(folder / "s", 16);
  Rows scratch;
  EXPECT_THAT(MessageOf<IoError>([&] { source.Chunk(1, 1, scratch); }), HasSubstr("shorter"));
}

}  // namespace
}  // namespace alcedo::internal
