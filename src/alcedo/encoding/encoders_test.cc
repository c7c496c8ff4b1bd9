// What holds for every encoder.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/encoding/encoding_testing.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing
using test::BadOption;

std::vector<Encoder> AllEncoders(Index size, Index dimension) {
  Rng rng(1);
  const Codebook codebook = RandomCodebook(rng, size, dimension);
  const GaussianMixture mixture = RandomMixture(rng, size, dimension);
  return {BovEncoder{codebook},
          SoftBovEncoder{codebook, {}},
          LlcEncoder{codebook, {}},
          SparseCodingEncoder{RandomDictionary(rng, size, dimension), {}},
          VladEncoder{codebook, {}, {}},
          VladEncoder{codebook, {true}, RandomRows(rng, size * dimension, dimension)},
          SuperVectorEncoder{codebook, {}},
          FisherEncoder{mixture, {}},
          FisherEncoder{mixture, {FisherAssignment::kSoft, 1e-4}},
          EmkEncoder{RandomFrequencies(rng, size, dimension)}};
}

bool Same(const Encodings& a, const Encodings& b) {
  if (a.num_rows() != b.num_rows() || a.num_entries() != b.num_entries() ||
      a.block_size() != b.block_size() || a.num_blocks() != b.num_blocks()) {
    return false;
  }
  const Index values = a.num_entries() * a.block_size();
  return std::equal(a.blocks().begin(), a.blocks().end(), b.blocks().begin(), b.blocks().end()) &&
         std::equal(a.offsets().begin(), a.offsets().end(), b.offsets().begin(),
                    b.offsets().end()) &&
         std::equal(a.Values(0), a.Values(0) + values, b.Values(0));
}

TEST(Encode, IsTheSameForAnyNumberOfThreads) {
  Rng rng(2);
  const Rows rows = RandomRows(rng, 2100, 11);
  for (const Encoder& encoder : AllEncoders(23, 11)) {
    const Encodings one = Encode(encoder, rows, 1);
    for (const int threads : {2, 3, 8}) {
      EXPECT_TRUE(Same(Encode(encoder, rows, threads), one)) << encoder.index() << threads;
    }
    EXPECT_EQ(Refusal([&] { Encode(encoder, rows, 0); }), "threads must be >= 1, got 0");
  }
}

TEST(Encode, HasTheDimensionsItSays) {
  Rng rng(3);
  const Index size = 6, d = 4;
  const Index expected[] = {size,     size,           size,         size,         size * d,
                            size * d, size * (d + 1), 2 * size * d, 2 * size * d, size};
  Index i = 0;
  for (const Encoder& encoder : AllEncoders(size, d)) {
    EXPECT_EQ(DescriptorDimension(encoder), d);
    EXPECT_EQ(EncodedDimension(encoder), expected[i++]);
    for (const Index count : {0, 1, 20}) {
      const Encodings encodings = Encode(encoder, RandomRows(rng, count, d));
      EXPECT_EQ(encodings.num_rows(), count);
      EXPECT_EQ(encodings.dimension(), EncodedDimension(encoder));
    }
    EXPECT_EQ(Encode(encoder, Rows()).num_rows(), 0);
    EXPECT_EQ(Encode(encoder, Rows()).dimension(), EncodedDimension(encoder));
  }
}

TEST(Encode, TakesOneCodewordOneDimensionZerosAndFarAwayRows) {
  Rng rng(4);
  for (const Index size : {1, 3}) {
    for (const Index d : {1, 5}) {
      Rows rows = RandomRows(rng, 5, d);
      rows.row(1).setZero();
      rows.row(2).setConstant(1e15f);
      rows.row(3).setConstant(-1e15f);
      rows.row(4).setConstant(1e-40f);
      for (const Encoder& encoder : AllEncoders(size, d)) {
        const Encodings encodings = Encode(encoder, rows);
        EXPECT_EQ(encodings.num_rows(), 5);
        EXPECT_TRUE(encodings.ToDense().allFinite()) << encoder.index();
      }
    }
  }
}

TEST(Encode, TakesRowsWithGaps) {
  Rng rng(5);
  const Rows wide = RandomRows(rng, 30, 9);
  const Rows part = wide.middleCols(2, 4);
  for (const Encoder& encoder : AllEncoders(5, 4)) {
    EXPECT_TRUE(Same(Encode(encoder, wide.middleCols(2, 4)), Encode(encoder, part)))
        << encoder.index();
  }
}

TEST(Encode, NamesWhatIsWrongWithTheDescriptors) {
  Rng rng(6);
  for (const Encoder& encoder : AllEncoders(5, 4)) {
    Rows rows = RandomRows(rng, 30, 4);
    rows(17, 2) = kNan;
    rows(19, 0) = kInfinity;
    EXPECT_EQ(Refusal([&] { Encode(encoder, rows); }), "descriptors: row 17, column 2 is NaN");
    rows(17, 2) = 0;
    EXPECT_EQ(Refusal([&] { Encode(encoder, rows, 3); }),
              "descriptors: row 19, column 0 is infinite");
    EXPECT_EQ(Refusal([&] { Encode(encoder, rows.leftCols(3)); }),
              "descriptors must have 4 columns, as the encoder, got 3");
  }
}

TEST(Encode, RefusesCodebooksThatAreNotValid) {
  Rng rng(7);
  const auto refusals = [](const Codebook& codebook) {
    std::set<std::string> messages;
    for (const Encoder& encoder :
         {Encoder(BovEncoder{codebook}), Encoder(SoftBovEncoder{codebook, {}}),
          Encoder(LlcEncoder{codebook, {}}), Encoder(VladEncoder{codebook, {}, {}}),
          Encoder(SuperVectorEncoder{codebook, {}})}) {
      messages.insert(Refusal([&] { Encode(encoder, Rows()); }));
    }
    return messages;
  };
  using Messages = std::set<std::string>;
  Codebook codebook = RandomCodebook(rng, 3, 2);
  EXPECT_EQ(refusals(codebook), Messages{"(accepted)"});
  codebook.weights = Vector::Ones(2) / 2;
  EXPECT_EQ(refusals(codebook), Messages{"codebook weights must be one per center, 3, got 2"});
  codebook.centers(2, 1) = -kInfinity;
  EXPECT_EQ(refusals(codebook), Messages{"codebook centers: row 2, column 1 is infinite"});
  codebook.centers.resize(0, 2);
  EXPECT_EQ(refusals(codebook),
            Messages{"codebook must have at least one center of one dimension, got 0 x 2"});
}

TEST(PreparedEncoder, GivesTheBytesOfEncodeForManySetsOfDescriptors) {
  Rng rng(8);
  const Rows many = RandomRows(rng, 700, 6), few = RandomRows(rng, 3, 6);
  for (const Encoder& encoder : AllEncoders(9, 6)) {
    auto first = std::make_unique<PreparedEncoder>(encoder);
    const PreparedEncoder prepared = *first;
    first.reset();  // the copy stands on its own
    EXPECT_EQ(prepared.dimension(), EncodedDimension(encoder));
    EXPECT_EQ(prepared.descriptor_dimension(), 6);
    EXPECT_EQ(prepared.encoder().index(), encoder.index());
    for (const Rows& rows : {many, few, Rows(0, 6), many}) {
      EncodeReport expected, report{.dropped_posterior = -1};
      const Encodings one_off = Encode(encoder, rows, 1, &expected);
      EXPECT_TRUE(Same(prepared.Encode(rows, 2, &report), one_off)) << encoder.index();
      EXPECT_EQ(report.dropped_posterior, expected.dropped_posterior);
    }
    EXPECT_EQ(Refusal([&] { prepared.Encode(many, 0); }), "threads must be >= 1, got 0");
    EXPECT_EQ(Refusal([&] { prepared.Encode(many.leftCols(2)); }),
              "descriptors must have 6 columns, as the encoder, got 2");
  }
}

TEST(PreparedEncoder, IsUsedByManyThreadsAtOnce) {
  Rng rng(9);
  const Rows rows = RandomRows(rng, 200, 5);
  for (const Encoder& encoder : AllEncoders(7, 5)) {
    const PreparedEncoder prepared(encoder, 3);
    const Encodings expected = Encode(encoder, rows);
    std::vector<int> same(16, 0);
    ParallelFor(16, 8, [&](Index i) { same[i] = Same(prepared.Encode(rows), expected) ? 1 : 0; });
    EXPECT_EQ(same, std::vector<int>(16, 1)) << encoder.index();
  }
}

TEST(PreparedEncoder, ChecksWhenItIsMade) {
  Rng rng(10);
  const Codebook codebook = RandomCodebook(rng, 3, 2);
  EXPECT_EQ(Refusal([&] { PreparedEncoder(SoftBovEncoder{codebook, {.nearest = 0}}); }),
            "soft_bov.nearest must be >= 1, got 0");
  EXPECT_EQ(Refusal([] { PreparedEncoder(BovEncoder{}); }),
            "codebook must have at least one center of one dimension, got 0 x 0");
  EXPECT_EQ(Refusal([&] { PreparedEncoder(BovEncoder{codebook}, 0); }),
            "threads must be >= 1, got 0");
}

TEST(CheckOptions, NamesTheFieldAsConfigurationsDo) {
  EXPECT_EQ(BadOption(SoftBovOptions{}), "");
  EXPECT_EQ(BadOption(SoftBovOptions{.sigma = -1}), "soft_bov.sigma");
  EXPECT_EQ(BadOption(SoftBovOptions{.nearest = 0}), "soft_bov.nearest");
  EXPECT_EQ(BadOption(LlcOptions{}), "");
  EXPECT_EQ(BadOption(LlcOptions{.nearest = -3}), "llc.nearest");
  EXPECT_EQ(BadOption(LlcOptions{.regularization = 0}), "llc.regularization");
  EXPECT_EQ(BadOption(SparseCodingOptions{}), "");
  EXPECT_EQ(BadOption(SparseCodingOptions{.l1 = 0}), "sparse.l1");
  EXPECT_EQ(BadOption(SparseCodingOptions{.tolerance = kInfinity}), "sparse.tolerance");
  EXPECT_EQ(BadOption(SparseCodingOptions{.max_sweeps = 0}), "sparse.max_sweeps");
  EXPECT_EQ(BadOption(SuperVectorOptions{}), "");
  EXPECT_EQ(BadOption(SuperVectorOptions{.s = kNan}), "sv.s");
  EXPECT_EQ(BadOption(FisherOptions{}), "");
  EXPECT_EQ(BadOption(FisherOptions{.posterior_threshold = 1}), "fv.posterior_threshold");
  EXPECT_EQ(BadOption(EmkOptions{}), "");
  EXPECT_EQ(BadOption(EmkOptions{.outputs = 0}), "emk.outputs");
  EXPECT_EQ(BadOption(EmkOptions{.sigma = -1}), "emk.sigma");
}

// The names that flags and stored configurations are made from.
template <class Options>
std::vector<std::string> FieldNames() {
  std::vector<std::string> names;
  Options options;
  VisitFields(options, [&](const char* name, auto&, const char*) { names.emplace_back(name); });
  return names;
}

TEST(Encode, ListsTheFieldsOfItsOptions) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(FieldNames<SoftBovOptions>(), (Names{"sigma", "nearest"}));
  EXPECT_EQ(FieldNames<LlcOptions>(), (Names{"nearest", "regularization"}));
  EXPECT_EQ(FieldNames<SparseCodingOptions>(), (Names{"l1", "tolerance", "max_sweeps"}));
  EXPECT_EQ(FieldNames<VladOptions>(), (Names{"residual_l2"}));
  EXPECT_EQ(FieldNames<SuperVectorOptions>(), (Names{"s"}));
  EXPECT_EQ(FieldNames<EmkOptions>(), (Names{"outputs", "sigma"}));
  EXPECT_EQ(FieldNames<FisherOptions>(), (Names{"assignment", "posterior_threshold"}));
}

}  // namespace
}  // namespace alcedo
