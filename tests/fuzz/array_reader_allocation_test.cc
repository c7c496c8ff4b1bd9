// Reading allocates the payload once where it can, and nothing for what a file only claims.
#include <gtest/gtest.h>

#include <random>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/io_testing.h"
#include "allocation_meter.h"

namespace alcedo::fuzz {
namespace {

using io_testing::Npy;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;

constexpr std::ptrdiff_t kPayload = 1000 * 1000 * 4;
constexpr std::ptrdiff_t kSmall = 256 << 10;

std::ptrdiff_t PeakOfReadingRows(const std::string& file) {
  TemporaryFolder folder;
  WriteFile(folder / "file", file);
  ResetPeak();
  const ArrayReader reader = ArrayReader::Open(folder / "file");
  EXPECT_LT(PeakBytes(), kSmall) << "opening reads the header alone";
  EXPECT_EQ(reader.ReadRows(0).size(), 1000 * 1000);
  return PeakBytes();
}

TEST(Allocation, TheMeterSeesWhatEigenAllocates) {
  ResetPeak();
  Rows rows(1000, 1000);
  float* volatile data = rows.data();  // an allocation that nobody looks at may be optimised away
  EXPECT_NE(data, nullptr);
  EXPECT_GE(PeakBytes(), kPayload);
}

TEST(Allocation, RowsAreReadInPlace) {
  const std::string zeros(kPayload, '\0');
  EXPECT_LT(PeakOfReadingRows(Npy("<f4", "(1000, 1000)", zeros)), kPayload + kSmall);
  EXPECT_LT(PeakOfReadingRows(Npy(">f4", "(1000, 1000)", zeros)), kPayload + kSmall);
  EXPECT_LT(PeakOfReadingRows(Npy("<f2", "(1000, 1000)", zeros.substr(kPayload / 2))),
            kPayload + kSmall);
  EXPECT_LT(PeakOfReadingRows(Npy("<f8", "(1000, 1000)", zeros + zeros)), kPayload + kSmall);
  EXPECT_LT(PeakOfReadingRows(io_testing::Zip({{"x.npy", Npy("<f4", "(1000, 1000)", zeros)}})),
            kPayload + kSmall);
  EXPECT_LT(PeakOfReadingRows(io_testing::Safetensors(
                R"({"x":{"dtype":"F32","shape":[1000,1000],"data_offsets":[0,4000000]}})", zeros)),
            kPayload + kSmall);
}

TEST(Allocation, ADeflatedMemberThatStopsEarlyCostsWhatItHolds) {
  // Directory and header agree on 50 MB, which 100 kB of compressed bytes could hold, but do not.
  std::mt19937 engine(1);
  std::string noise(100'000, '\0');
  for (char& c : noise) c = static_cast<char>(engine());
  io_testing::ZipSpec spec{"x.npy", Npy("<f4", "(12500000,)", noise), true};
  spec.size = static_cast<std::int64_t>(spec.content.size() - noise.size()) + 50'000'000;
  const ArrayReader reader = ArrayReader::FromBytes(io_testing::Zip({spec}), "x");
  ASSERT_EQ(reader.arrays()[0].size(), 12'500'000);
  ResetPeak();
  EXPECT_THROW(reader.ReadRows(0), FormatError);
  EXPECT_LT(PeakBytes(), 3 * 100'000 + kSmall);
}

}  // namespace
}  // namespace alcedo::fuzz
