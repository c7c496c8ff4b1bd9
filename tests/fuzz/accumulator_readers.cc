// The state of an accumulator that another computer sent; also with a right checksum.
#include <cstring>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/pooling/accumulator.h"
#include "readers.h"

namespace alcedo::fuzz {
namespace {

std::vector<std::string> AccumulatorSamples() {
  std::vector<std::string> samples;
  for (const auto layout :
       {GmpAccumulator::Layout::kOneBlockPerRow, GmpAccumulator::Layout::kSeveralBlocksPerRow}) {
    GmpAccumulator accumulator(1, 3, layout);
    Rng rng(4);
    const Rows rows = Rows::NullaryExpr(6, 3, [&] { return static_cast<float>(rng.Normal()); });
    accumulator.Add(Encodings::Dense(rows));
    samples.push_back(accumulator.ToBytes());
  }
  return samples;
}

bool ReadAccumulator(const std::string& bytes) {
  return Succeeds([&] {
    const GmpAccumulator accumulator = GmpAccumulator::FromBytes(bytes);
    ExpectFiniteArray(accumulator.sum(), "a sum");
    Succeeds([&] {
      GmpOptions options;
      options.lambda = 1;
      const GmpPath path = accumulator.Solve(std::vector{options});
      ExpectFiniteArray(path.phi, "a vector");
    });
  });
}

// The checksum over all words before it, as docs/formats.md has it.
std::string WithRightChecksum(std::string bytes) {
  if (bytes.size() < 16 || bytes.size() % 8 != 0) return bytes;
  std::uint64_t h = 0xcbf29ce484222325;
  for (std::size_t at = 0; at + 8 < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    h = (h ^ word) * 0x100000001b3;
    h ^= h >> 32;
  }
  std::memcpy(bytes.data() + bytes.size() - 8, &h, 8);
  return bytes;
}

}  // namespace

void internal::AddAccumulatorReaders(std::vector<Reader>& readers) {
  readers.push_back({"accumulator", AccumulatorSamples, ReadAccumulator});
  readers.push_back({"accumulator-right-checksum", AccumulatorSamples,
                     [](const std::string& b) { return ReadAccumulator(WithRightChecksum(b)); }});
}

}  // namespace alcedo::fuzz
