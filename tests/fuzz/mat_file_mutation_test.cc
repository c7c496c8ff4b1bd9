// Files of MATLAB, changed word by word: each is read or refused by a FormatError, and memory stays
// in proportion to the file.
#include <gtest/gtest.h>

#include <random>

#include "alcedo/base/error.h"
#include "alcedo/dataset/mat_file.h"
#include "alcedo/dataset/mat_testing.h"
#include "allocation_meter.h"

namespace alcedo::fuzz {
namespace {

using namespace mat_testing;

constexpr std::uint32_t kHostileWords[] = {
    0,       1,          2,          4,          5,          8,         9,
    14,      15,         0x7f,       0xff,       0xffff,     0x10000,   0x40001,
    0x50001, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff};

// Reads a file in both ways; true if one of them gave a value. Anything but a FormatError gets out.
bool ReadMat(const std::string& file) {
  bool read = false;
  try {
    const Box box = internal::ParseMatBox(file, "file");
    EXPECT_TRUE(box.width > 0 && box.width < 1e10 && box.height > 0 && box.height < 1e10);
    read = true;
  } catch (const FormatError&) {
  }
  try {
    for (const int value : internal::ParseMatIntegers(file, "file", "labels", 1, 102)) {
      EXPECT_TRUE(value >= 1 && value <= 102);
    }
    read = true;
  } catch (const FormatError&) {
  }
  return read;
}

struct Sample {
  std::string plain, file;  // inflated, and as it is stored
  bool compressed;
  MatBytes mat;
};

std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  for (const bool big_endian : {false, true}) {
    const MatBytes m{big_endian};
    const std::vector<std::uint8_t> labels(200, 7);
    for (const std::string& element :
         {m.Box(10, 12, 60, 70), m.Row(kDoubleClass, kUint8, "labels", labels)}) {
      samples.push_back({element, m.File(element), false, m});
      samples.push_back({element, m.File(m.Compress(element)), true, m});
    }
  }
  return samples;
}

// 16 times the file: a uint8 becomes a double, in a vector that has grown by halves.
void ExpectBounded(const std::string& file, std::size_t inflated, int& read, int& refused) {
  ResetPeak();
  ASSERT_NO_THROW(ReadMat(file) ? ++read : ++refused);
  ASSERT_LE(PeakBytes(), static_cast<std::ptrdiff_t>(24 * std::max(file.size(), inflated) + 16384));
}

TEST(MatFileMutation, EveryWordSetToEveryHostileValue) {
  for (const Sample& sample : Samples()) {
    ASSERT_TRUE(ReadMat(sample.file));
    int read = 0, refused = 0;
    const auto change = [&](std::string bytes, std::size_t at, std::uint32_t word) {
      bytes.replace(at, 4, sample.mat.Word(word));
      return bytes;
    };
    for (const std::uint32_t word : kHostileWords) {
      for (std::size_t at = 0; at + 4 <= sample.file.size(); at += 4) {
        ExpectBounded(change(sample.file, at, word), sample.plain.size(), read, refused);
      }
      // Inside what is compressed, with a correct checksum.
      for (std::size_t at = 0; sample.compressed && at + 4 <= sample.plain.size(); at += 4) {
        const std::string mutant = change(sample.plain, at, word);
        ExpectBounded(sample.mat.File(sample.mat.Compress(mutant)), sample.plain.size(), read,
                      refused);
      }
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 100);
  }
}

TEST(MatFileMutation, RandomWordsAnywhere) {
  std::mt19937 engine(20140624);
  const std::vector<Sample> samples = Samples();
  int read = 0, refused = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Sample& sample = samples[i % samples.size()];
    std::string bytes = i % 3 == 0 ? sample.file : sample.plain;
    for (std::size_t change = 0, changes = 1 + engine() % 3; change < changes; ++change) {
      bytes.replace(engine() % (bytes.size() - 3), 4, sample.mat.Word(engine()));
    }
    if (i % 3 == 1) bytes = sample.mat.File(bytes);
    if (i % 3 == 2) bytes = sample.mat.File(sample.mat.Compress(bytes));
    ExpectBounded(bytes, sample.plain.size(), read, refused);
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 10'000);
}

TEST(MatFileMutation, ACompressedBombCostsTheStatedCap) {
  const MatBytes m;
  // The most values that are taken, in the largest type: 8 MiB out of about 8 kB.
  const std::string zeros(8 << 20, '\0');
  const std::string file =
      m.File(m.Compress(m.Array(kDoubleClass, "labels", {1, 1 << 20}, m.Element(kDouble, zeros))));
  EXPECT_LT(file.size(), 10'000U);
  ResetPeak();
  EXPECT_THROW(internal::ParseMatIntegers(file, "file", "labels", 1, 102), FormatError);
  EXPECT_LE(PeakBytes(), 16 << 20);
  // What nobody asks for is not inflated.
  ResetPeak();
  EXPECT_THROW(internal::ParseMatIntegers(file, "file", "other", 1, 102), FormatError);
  EXPECT_LE(PeakBytes(), 16384);
}

}  // namespace
}  // namespace alcedo::fuzz
