// Every form of input, against naive formulas.
#include <cmath>
#include <filesystem>

#include "fixture.h"

namespace end_to_end {
namespace {

class InputForms : public EndToEnd {};

TEST_F(InputForms, OneNpy) {
  const Table bag = RandomRows(30, 7, 1);
  WriteFile("bag.npy", Npy(bag));
  Succeed({"pool", "bag.npy", "-o", "out.npy", "--lambda", "3"});
  ExpectArray(ParseNpy(ReadFile("out.npy")), {7}, Gmp(bag, 3));
  EXPECT_EQ(FilesHere(), (std::vector<std::string>{"bag.npy", "out.npy"}));
}

TEST_F(InputForms, DefaultIsGmpWithLambda100) {
  const Table bag = RandomRows(30, 7, 1);
  WriteFile("bag.npy", Npy(bag, "<f8"));
  Succeed({"pool", "bag.npy", "-o", "out.npy"});
  ExpectArray(ParseNpy(ReadFile("out.npy")), {7}, Gmp(bag, 100));
}

TEST_F(InputForms, FortranOrder) {
  const Table bag = RandomRows(5, 3, 2);
  Row transposed;
  for (std::size_t d = 0; d < 3; ++d) {
    for (const Row& row : bag) transposed.push_back(row[d]);
  }
  std::string bytes = Npy({5, 3}, transposed);
  bytes.replace(bytes.find("False"), 5, "True ");
  WriteFile("bag.npy", bytes);
  Succeed({"pool", "bag.npy", "-o", "out.npy", "--pooling", "sum"});
  ExpectArray(ParseNpy(ReadFile("out.npy")), {3}, Sum(bag));
}

TEST_F(InputForms, BatchOfBags) {
  const std::vector<Table> bags{RandomRows(8, 5, 1), RandomRows(8, 5, 2), RandomRows(8, 5, 3)};
  Row all, expected;
  for (const Table& bag : bags) {
    const Row values = Flatten(bag), phi = Gmp(bag, 2);
    all.insert(all.end(), values.begin(), values.end());
    expected.insert(expected.end(), phi.begin(), phi.end());
  }
  WriteFile("tokens.npy", Npy({3, 8, 5}, all));
  Succeed({"pool", "tokens.npy", "-o", "out.npy", "--lambda", "2"});
  ExpectArray(ParseNpy(ReadFile("out.npy")), {3, 5}, expected);
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "tokens.0\ntokens.1\ntokens.2\n");
}

TEST_F(InputForms, NpzHoldsBags) {
  const Table a = RandomRows(9, 4, 1), b = RandomRows(6, 4, 2);
  // The labels are no bag.
  WriteFile("bags.npz", Npz({{"b", Npy(b)}, {"labels", Npy({2}, {1, 2}, "<i8")}, {"a", Npy(a)}}));
  Succeed({"pool", "bags.npz", "-o", "out.npy", "--lambda", "1"});
  Row expected = Gmp(b, 1);
  for (const double value : Gmp(a, 1)) expected.push_back(value);
  ExpectArray(ParseNpy(ReadFile("out.npy")), {2, 4}, expected);
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "bags.b\nbags.a\n");

  Succeed({"pool", "bags.npz", "--array", "a", "-o", "one.npy", "--lambda", "1"});
  ExpectArray(ParseNpy(ReadFile("one.npy")), {4}, Gmp(a, 1));
}

TEST_F(InputForms, SafetensorsHoldBags) {
  const Table a = RandomRows(9, 4, 1), b = RandomRows(6, 4, 2);
  WriteFile("bags.safetensors", Safetensors({{"a", a}, {"b", b}}));
  Succeed({"pool", "bags.safetensors", "-o", "out.npy", "--pooling", "sum"});
  Row expected = Sum(a);
  for (const double value : Sum(b)) expected.push_back(value);
  ExpectArray(ParseNpy(ReadFile("out.npy")), {2, 4}, expected);
}

TEST_F(InputForms, StandardInputAndOutput) {
  const Table bag = RandomRows(30, 7, 1);
  const Result result = Succeed({"pool", "-", "-o", "-", "--lambda", "3"}, Npy(bag));
  ExpectArray(ParseNpy(result.out), {7}, Gmp(bag, 3));
}

TEST_F(InputForms, RaggedOffsets) {
  const Table rows = RandomRows(20, 6, 1);
  WriteFile("rows.npy", Npy(rows));
  WriteFile("offsets.npy", Npy({4}, {0, 3, 13, 20}, "<i8"));
  Succeed({"pool", "rows.npy", "--offsets", "offsets.npy", "-o", "out.npy", "--lambda", "0.5"});
  Row expected;
  for (const auto& [begin, end] : {std::pair{0, 3}, {3, 13}, {13, 20}}) {
    const Row phi = Gmp({rows.begin() + begin, rows.begin() + end}, 0.5);
    expected.insert(expected.end(), phi.begin(), phi.end());
  }
  ExpectArray(ParseNpy(ReadFile("out.npy")), {3, 6}, expected);
}

// Rows of `blocks` blocks as a dense table; -1 is no entry.
Table Spread(const Table& values, const std::vector<std::vector<int>>& blocks, std::size_t count) {
  const std::size_t k = blocks[0].size(), size = values[0].size() / k;
  Table dense(values.size(), Row(count * size));
  for (std::size_t n = 0; n < values.size(); ++n) {
    for (std::size_t e = 0; e < k; ++e) {
      for (std::size_t d = 0; d < size && blocks[n][e] >= 0; ++d) {
        dense[n][blocks[n][e] * size + d] = values[n][e * size + d];
      }
    }
  }
  return dense;
}

TEST_F(InputForms, OneBlockPerRow) {
  const Table values = RandomRows(12, 3, 4);
  std::vector<std::vector<int>> blocks;
  Row flat;
  for (int n = 0; n < 12; ++n) {
    blocks.push_back({n * n % 5});
    flat.push_back(n * n % 5);
  }
  WriteFile("values.npy", Npy(values));
  WriteFile("blocks.npy", Npy({12}, flat, "<i4"));
  const Args common{"pool", "values.npy", "--blocks", "blocks.npy", "--num-blocks", "5"};
  Args args = common;
  for (const char* word : {"-o", "out.npy", "--lambda", "0.7"}) args.push_back(word);
  Succeed(args);
  ExpectArray(ParseNpy(ReadFile("out.npy")), {15}, Gmp(Spread(values, blocks, 5), 0.7));

  args = common;
  for (const char* word : {"-o", "l2.npy", "--pooling", "sum", "--block-l2"}) args.push_back(word);
  Succeed(args);
  Row expected = Sum(Spread(values, blocks, 5));
  for (std::size_t block = 0; block < 5; ++block) {
    double norm = 0;
    for (std::size_t d = 0; d < 3; ++d) norm += expected[block * 3 + d] * expected[block * 3 + d];
    for (std::size_t d = 0; d < 3 && norm > 0; ++d) expected[block * 3 + d] /= std::sqrt(norm);
  }
  ExpectArray(ParseNpy(ReadFile("l2.npy")), {15}, expected);
}

TEST_F(InputForms, SeveralBlocksPerRow) {
  const Table values = RandomRows(6, 4, 5);
  const std::vector<std::vector<int>> blocks{{0, 2}, {1, -1}, {2, 0}, {-1, -1}, {1, 2}, {-1, 0}};
  Row flat;
  for (const auto& row : blocks) flat.insert(flat.end(), row.begin(), row.end());
  WriteFile("blocks.npy", Npy({6, 2}, flat, "<i8"));
  WriteFile("flat.npy", Npy(values));
  Succeed({"pool", "flat.npy", "--blocks", "blocks.npy", "--num-blocks", "3", "-o", "out.npy",
           "--lambda", "0.3"});
  ExpectArray(ParseNpy(ReadFile("out.npy")), {6}, Gmp(Spread(values, blocks, 3), 0.3));
}

// Three dimensions are a batch, whatever the blocks.
TEST_F(InputForms, BatchWithBlocks) {
  const Table values = RandomRows(6, 4, 5);
  WriteFile("batch.npy", Npy({2, 3, 4}, Flatten(values)));
  const Row one{0, 1, 2, 2, 2, 0};
  const Row two{0, 2, 1, -1, 2, 0, -1, -1, 1, 2, -1, 0};
  const std::vector<std::pair<std::vector<std::size_t>, Row>> forms{
      {{2, 3}, one}, {{6}, one}, {{2, 3, 1}, one}, {{6, 2}, two}, {{2, 3, 2}, two}};
  for (const auto& [shape, flat] : forms) {
    WriteFile("blocks.npy", Npy(shape, flat, "<i8"));
    Succeed({"pool", "batch.npy", "--blocks", "blocks.npy", "--num-blocks", "3", "-o", "out.npy",
             "--lambda", "0.3"});
    const std::size_t k = flat.size() / 6;
    std::vector<std::vector<int>> blocks;
    for (std::size_t n = 0; n < 6; ++n) {
      blocks.emplace_back(flat.begin() + n * k, flat.begin() + (n + 1) * k);
    }
    const Table dense = Spread(values, blocks, 3);
    Row expected = Gmp({dense.begin(), dense.begin() + 3}, 0.3);
    for (const double value : Gmp({dense.begin() + 3, dense.end()}, 0.3)) expected.push_back(value);
    ExpectArray(ParseNpy(ReadFile("out.npy")), {2, 12 / k}, expected);
  }
  for (const std::vector<std::size_t>& shape :
       std::vector<std::vector<std::size_t>>{{2}, {3, 2}, {2, 3, 3}, {2, 4}, {}}) {
    WriteFile("blocks.npy", Npy(shape, Row(18, 0.0), "<i8"));
    Fail({"pool", "batch.npy", "--blocks", "blocks.npy", "--num-blocks", "3", "-o", "bad.npy"}, 1);
  }
}

TEST_F(InputForms, NpzHoldsBatchesToo) {
  const Table a = RandomRows(4, 3, 1), b = RandomRows(4, 3, 2);
  WriteFile(
      "bags.npz",
      Npz({{"a", Npy(a)}, {"b", Npy({2, 2, 3}, Flatten(b))}, {"scales", Npy({5}, Row(5, 1.0))}}));
  const Result result = RunProgram({"pool", "bags.npz", "-o", "out.npy", "--pooling", "sum"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, testing::StartsWith("alcedo: warning: bags.npz array 'scales' of shape"));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "bags.a\nbags.b.0\nbags.b.1\n");
  Row expected = Sum(a);
  for (const Table& bag : {Table{b[0], b[1]}, Table{b[2], b[3]}}) {
    for (const double value : Sum(bag)) expected.push_back(value);
  }
  ExpectArray(ParseNpy(ReadFile("out.npy")), {3, 3}, expected);
}

TEST_F(InputForms, FolderWithBlocksAndWeightsBesideIt) {
  const Table a = RandomRows(5, 2, 1), b = RandomRows(7, 2, 2);
  WriteFile("in/a.npy", Npy(a));
  WriteFile("in/b.npy", Npy(b));
  WriteFile("in/.hidden.npy", "not an array");
  WriteFile("in/notes.txt", "not an array");
  WriteFile("blocks/a.npy", Npy({5}, {0, 1, 2, 0, 1}, "<i4"));
  WriteFile("blocks/b.npy", Npy({7}, {2, 2, 2, 1, 1, 0, 2}, "<i4"));
  Succeed(
      {"pool", "in", "--blocks", "blocks", "--num-blocks", "3", "-o", "out.npy", "--lambda", "1"});
  Row expected = Gmp(Spread(a, {{0}, {1}, {2}, {0}, {1}}, 3), 1);
  const Row second = Gmp(Spread(b, {{2}, {2}, {2}, {1}, {1}, {0}, {2}}, 3), 1);
  expected.insert(expected.end(), second.begin(), second.end());
  ExpectArray(ParseNpy(ReadFile("out.npy")), {2, 6}, expected);
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "a\nb\n");

  const Row weights{0.5, -1, 2, 0, 3};
  WriteFile("weights.npy", Npy({5}, weights, "<f8"));
  Succeed({"pool", "in/a.npy", "--pooling", "weighted", "--input-weights", "weights.npy", "-o",
           "weighted.npy"});
  ExpectArray(ParseNpy(ReadFile("weighted.npy")), {2}, WeightedSum(a, weights));
}

// Files of `alcedo encode`: what lies beside the descriptors is no bag.
TEST_F(InputForms, PositionsBesideDescriptorsAreLeftAlone) {
  const Table rows = RandomRows(6, 3, 1);
  const std::string positions = Npy(RandomRows(6, 2, 2)), size = Npy({2}, {64, 48}, "<f4");
  for (const char* file : {"in/a.npz", "in/b.npz"}) {
    WriteFile(file,
              Npz({{"descriptors", Npy(rows)}, {"positions", positions}, {"image_size", size}}));
  }
  WriteFile("a.npy", Npy(rows));
  Succeed({"pool", "a.npy", "-o", "one.npy"});
  Succeed({"pool", "in/a.npz", "-o", "alone.npy"});
  EXPECT_EQ(ReadFile("alone.npy"), ReadFile("one.npy"));
  Succeed({"pool", "in", "-o", "all.npy"});
  EXPECT_EQ(ReadFile("all.npy.names.txt"), "a\nb\n");
  EXPECT_EQ(ParseNpy(ReadFile("all.npy")).shape, (std::vector<std::size_t>{2, 3}));
  // Without descriptors, or by name, they are arrays like others.
  WriteFile("p.npz", Npz({{"positions", positions}, {"other", Npy(rows)}}));
  Succeed({"pool", "p.npz", "-o", "p/", "-q"});
  EXPECT_TRUE(std::filesystem::exists("p/p.positions.npy"));
  Succeed({"pool", "in/a.npz", "--array", "positions", "-o", "p.npy"});
  EXPECT_EQ(ParseNpy(ReadFile("p.npy")).shape, (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace end_to_end
