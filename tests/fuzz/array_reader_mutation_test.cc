// Valid files, damaged tens of thousands of times in the ways that matter to a parser. Whatever
// comes out reads or is refused by one of our own errors, and memory stays in proportion to the
// file.
#include <gtest/gtest.h>

#include <cctype>
#include <random>

#include "allocation_meter.h"
#include "read_everything.h"
#include "sample_files.h"

namespace alcedo::fuzz {
namespace {

constexpr std::uint64_t kHostileNumbers[] = {0,
                                             1,
                                             0x7f,
                                             0xff,
                                             0xffff,
                                             0x7fffffff,
                                             0x80000000,
                                             0xffffffff,
                                             std::uint64_t{1} << 32,
                                             std::uint64_t{1} << 60,
                                             std::uint64_t{1} << 63,
                                             ~std::uint64_t{0}};
const std::string kHostileTexts[] = {"0",
                                     "1",
                                     "-1",
                                     "00",
                                     "1e9",
                                     "4294967296",
                                     "1152921504606846976",
                                     "9223372036854775807",
                                     "18446744073709551616",
                                     "(",
                                     ")",
                                     "{",
                                     "}",
                                     "[[",
                                     "'",
                                     "\"",
                                     ",",
                                     "True",
                                     "|O",
                                     ">f8",
                                     "<c16",
                                     "F64",
                                     "__metadata__",
                                     std::string(1, '\0')};

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : engine_(seed) {}

  std::string Mutate(std::string file, const std::string& other) {
    for (std::size_t i = 0, rounds = 1 + Below(3); i < rounds; ++i) {
      switch (Below(7)) {
        case 0:
          FlipBytes(file);
          break;
        case 1:
          file.resize(Below(file.size() + 1));
          break;
        case 2:
          SetNumber(file, Below(file.size() + 1));
          break;
        case 3:
          SetNumber(file, LengthField(file));
          break;
        case 4:
          ReplaceDigits(file);
          break;
        case 5:
          InsertText(file);
          break;
        case 6:
          Splice(file, other);
          break;
      }
    }
    return file;
  }

  std::size_t Below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

 private:
  void FlipBytes(std::string& file) {
    for (std::size_t i = 0, count = 1 + Below(8); i < count && !file.empty(); ++i) {
      file[Below(file.size())] ^= static_cast<char>(1 << Below(8));
    }
  }

  void SetNumber(std::string& file, std::size_t position) {
    const std::size_t size = std::size_t{1} << Below(4);
    if (position + size > file.size()) return;
    std::uint64_t value = kHostileNumbers[Below(std::size(kHostileNumbers))];
    if (Below(4) == 0) value = file.size() + Below(17) - 8;  // just fits, or just does not
    file.replace(position, size, io_testing::Little(value, static_cast<int>(size)));
  }

  // Where the formats keep lengths: the first bytes, and the records of a zip.
  std::size_t LengthField(const std::string& file) {
    const std::size_t record = file.find("PK", Below(file.size()));
    return record == std::string::npos ? Below(12) : record + Below(48);
  }

  void ReplaceDigits(std::string& file) {
    std::size_t begin = Below(file.size());
    while (begin < file.size() && !IsDigit(file[begin])) ++begin;
    std::size_t end = begin;
    while (end < file.size() && IsDigit(file[end])) ++end;
    file.replace(begin, end - begin, kHostileTexts[Below(std::size(kHostileTexts))]);
  }

  void InsertText(std::string& file) {
    const std::string& text = kHostileTexts[Below(std::size(kHostileTexts))];
    const std::size_t position = Below(file.size() + 1);
    file.replace(position, Below(2) * text.size(), text);  // insert, or overwrite
  }

  void Splice(std::string& file, const std::string& other) {
    const std::size_t from = Below(other.size());
    file.replace(Below(file.size() + 1), Below(64), other, from, Below(64));
  }

  static bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

  std::mt19937_64 engine_;
};

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
