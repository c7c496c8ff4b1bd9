#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/pooling/accumulator.h"

namespace alcedo {
namespace {

GmpAccumulator MakeAccumulator(GmpAccumulator::Layout layout) {
  GmpAccumulator accumulator(2, 3, layout);
  Rows values(3, 3);
  values << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  accumulator.Add(Encodings::OneBlockPerRow(values, {0, 1, 0}, 2));
  return accumulator;
}

TEST(AccumulatorBytes, ComeBackAsTheyWere) {
  for (auto layout :
       {GmpAccumulator::Layout::kOneBlockPerRow, GmpAccumulator::Layout::kSeveralBlocksPerRow}) {
    const GmpAccumulator accumulator = MakeAccumulator(layout);
    const std::string bytes = accumulator.ToBytes();
    const GmpAccumulator back = GmpAccumulator::FromBytes(bytes);
    EXPECT_EQ(back.ToBytes(), bytes);
    const double lambda = 2;
    EXPECT_EQ(back.Solve(std::span(&lambda, 1)).phi, accumulator.Solve(std::span(&lambda, 1)).phi);
  }
}

TEST(AccumulatorBytes, EveryDamageIsRefused) {
  const std::string bytes = MakeAccumulator(GmpAccumulator::Layout::kOneBlockPerRow).ToBytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(GmpAccumulator::FromBytes(std::span(bytes.data(), size)), FormatError);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (char flip : {char(1), char(0x80), char(0xff)}) {
      std::string damaged = bytes;
      damaged[at] ^= flip;
      EXPECT_THROW(GmpAccumulator::FromBytes(damaged), FormatError) << at;
    }
  }
  for (std::size_t a = 7; a < bytes.size(); a += 8) {  // the signs of two numbers
    for (std::size_t b = a + 8; b < bytes.size(); b += 8) {
      std::string damaged = bytes;
      damaged[a] ^= char(0x80);
      damaged[b] ^= char(0x80);
      EXPECT_THROW(GmpAccumulator::FromBytes(damaged), FormatError) << a << " " << b;
    }
  }
  EXPECT_THROW(GmpAccumulator::FromBytes(bytes + "12345678"), FormatError);
}

}  // namespace
}  // namespace alcedo
