// Valid files, damaged tens of thousands of times in the ways that matter to a parser. Whatever
// comes out reads or is refused by one of our own errors, and memory stays in proportion to the
// file.
#include <gtest/gtest.h>

#include "allocation_meter.h"
#include "mutator.h"
#include "readers.h"
#include "sample_files.h"

namespace alcedo::fuzz {
namespace {

// Tells the format by the bytes: one reader serves all three.
bool ReadEverything(const std::string& file) { return FindReader("npy")->read(file); }

TEST(ArrayReaderMutation, TheSamplesThemselvesAreRead) {
  for (const std::string& file : SampleFiles()) EXPECT_TRUE(ReadEverything(file));
}

TEST(ArrayReaderMutation, EveryMutantReadsOrIsRefusedInBoundedMemory) {
  const std::vector<std::string> samples = SampleFiles();
  Mutator mutator(20140624);
  int read = 0, refused = 0;
  for (int i = 0; i < 60'000; ++i) {
    const std::string& sample = samples[static_cast<std::size_t>(i) % samples.size()];
    const std::string mutant = mutator.Mutate(sample, samples[mutator.Below(samples.size())]);
    ResetPeak();
    ASSERT_NO_THROW(ReadEverything(mutant) ? ++read : ++refused) << "mutant " << i;
    // An int8 becomes an int64, eight times its size; the constant is a few inflate buffers.
    ASSERT_LE(PeakBytes(), static_cast<std::ptrdiff_t>(16 * mutant.size() + (256 << 10)))
        << "mutant " << i;
  }
  // Both outcomes really occur: the mutations are neither harmless nor all fatal at the first byte.
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 30'000);
}

TEST(ArrayReaderMutation, EveryTruncationAndEveryByteSetToEveryExtreme) {
  for (const std::string& sample : SampleFiles()) {
    for (std::size_t size = 0; size < sample.size(); ++size) {
      EXPECT_FALSE(ReadEverything(sample.substr(0, size))) << size;
    }
    for (std::size_t i = 0; i < sample.size(); ++i) {
      for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        std::string mutant = sample;
        mutant[i] = static_cast<char>(value);
        ResetPeak();
        ASSERT_NO_THROW(ReadEverything(mutant)) << "byte " << i;
        ASSERT_LE(PeakBytes(), static_cast<std::ptrdiff_t>(16 * mutant.size() + (256 << 10)));
      }
    }
  }
}

}  // namespace
}  // namespace alcedo::fuzz
