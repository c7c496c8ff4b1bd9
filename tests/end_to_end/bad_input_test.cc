// Input that cannot be pooled: one sentence, exit 1, nothing written.
#include <cmath>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BadInput : public EndToEnd {
 protected:
  std::string FailOn(const std::string& bytes, Args options = {}) {
    WriteFile("bag.npy", bytes);
    options.insert(options.begin(), {"pool", "bag.npy", "-o", "out.npy"});
    const std::string message = Fail(options, 1);
    EXPECT_THAT(message, HasSubstr("bag.npy"));
    return message;
  }

  static std::string Header(const std::string& type, const std::string& shape) {
    return "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
  }
};

TEST_F(BadInput, NaNAndInfinityAreNamedByRowAndColumn) {
  Table bag = RandomRows(6, 5, 1);
  bag[4][2] = std::nan("");
  EXPECT_THAT(FailOn(Npy(bag)), AllOf(HasSubstr("row 4"), HasSubstr("column 2")));
  bag[4][2] = INFINITY;
  EXPECT_THAT(FailOn(Npy(bag)), AllOf(HasSubstr("row 4"), HasSubstr("column 2")));
  bag[4][2] = 1e300;  // beyond float
  EXPECT_THAT(FailOn(Npy(bag, "<f8")), AllOf(HasSubstr("row 4"), HasSubstr("column 2")));
}

TEST_F(BadInput, WrongShapes) {
  FailOn(Npy({5}, Row(5, 1.0)));
  FailOn(Npy({}, Row(1, 1.0)));
  FailOn(Npy({1, 1, 2, 2}, Row(4, 1.0)));
  EXPECT_THAT(FailOn(Npy({0, 3, 5}, {})), HasSubstr("a batch without bags"));
  EXPECT_THAT(FailOn(Npy({1 << 20, 0, 5}, {})), HasSubstr("1048576 empty bags"));
  // Nothing tells how many zeros these would be.
  FailOn(Npy({5, 0}, {}));
  FailOn(Npy({0, 0}, {}));
}

TEST_F(BadInput, WrongTypes) {
  FailOn(Npy({2, 2}, {1, 2, 3, 4}, "<i8"));
  FailOn(NpyOfHeader(Header("'|O'", "(2, 2)"), std::string(32, 'x')));
  FailOn(NpyOfHeader(Header("'<c8'", "(2, 2)"), std::string(32, 'x')));
  FailOn(NpyOfHeader(Header("[('a', '<f4')]", "(2, 2)"), std::string(16, 'x')));
}

TEST_F(BadInput, HostileHeaders) {
  const std::string four(16, '\0');
  FailOn(NpyOfHeader(Header("'<f4'", "(1152921504606846976, 4)"), four));
  FailOn(NpyOfHeader(Header("'<f4'", "(4294967296, 4294967296)"), four));
  FailOn(NpyOfHeader(Header("'<f4'", "(18446744073709551617, 4)"), four));
  FailOn(NpyOfHeader(Header("'<f4'", "(-2, -2)"), four));
  FailOn(NpyOfHeader(Header("'<f4'", "(2, 3)"), four));
  FailOn(NpyOfHeader(Header("'<f4'", "(1152921504606846976, 0)"), ""));
  FailOn(NpyOfHeader(Header("'<f4'", "(1152921504606846976, 0, 8)"), ""));
  FailOn(NpyOfHeader(Header("'<f4'", "(2, 2"), four));
  FailOn(NpyOfHeader("", four));
  const std::string good = Npy(RandomRows(3, 3, 1));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{9}, std::size_t{40}, good.size() - 1}) {
    FailOn(good.substr(0, size));
  }
  FailOn("hello");
}

TEST_F(BadInput, HostileContainers) {
  const std::string npz = Npz({{"a", Npy(RandomRows(3, 3, 1))}});
  FailOn(npz.substr(0, npz.size() / 2));
  std::string tensors = Safetensors({{"a", RandomRows(3, 3, 1)}});
  FailOn(tensors.substr(0, tensors.size() - 4));
  tensors[7] = '\x7f';  // a header of 2^62 bytes
  FailOn(tensors);
  WriteFile("bags.npz", npz);
  EXPECT_THAT(Fail({"pool", "bags.npz", "--array", "b", "-o", "out.npy"}, 1), HasSubstr("a"));
  WriteFile("none.npz", Npz({{"x", Npy({3}, Row(3, 1.0))}, {"y", Npy({3}, Row(3, 1.0))}}));
  EXPECT_THAT(Fail({"pool", "none.npz", "-o", "out.npy"}, 1), HasSubstr("2-D"));
}

TEST_F(BadInput, MissingFilesAndFolders) {
  EXPECT_THAT(Fail({"pool", "nowhere.npy", "-o", "out.npy"}, 1), HasSubstr("nowhere.npy"));
  WriteFile("bag.npy", Npy(RandomRows(3, 3, 1)));
  EXPECT_THAT(Fail({"pool", "bag.npy", "-o", "nowhere/out.npy"}, 1), HasSubstr("nowhere"));
  WriteFile("empty/readme.txt", "");
  EXPECT_THAT(Fail({"pool", "empty", "-o", "out.npy"}, 1), HasSubstr("empty"));
  EXPECT_THAT(Fail({"pool", "-", "-o", "out.npy"}, 1), HasSubstr("standard input"));
}

TEST_F(BadInput, Offsets) {
  WriteFile("bag.npy", Npy(RandomRows(6, 3, 1)));
  const auto fail = [&](const std::string& bytes) {
    WriteFile("offsets.npy", bytes);
    return Fail({"pool", "bag.npy", "--offsets", "offsets.npy", "-o", "out.npy"}, 1);
  };
  EXPECT_THAT(fail(Npy({3}, {0, 3, 5}, "<i8")), HasSubstr("offsets.npy"));
  EXPECT_THAT(fail(Npy({3}, {1, 3, 6}, "<i8")), HasSubstr("from 0"));
  EXPECT_THAT(fail(Npy({4}, {0, 4, 3, 6}, "<i8")), HasSubstr("decrease"));
  EXPECT_THAT(fail(Npy({3}, {0, 3, 6}, "<f8")), HasSubstr("offsets.npy"));
  EXPECT_THAT(fail(Npy({0}, {}, "<i8")), HasSubstr("offsets.npy"));
}

TEST_F(BadInput, BlocksAndWeights) {
  WriteFile("bag.npy", Npy(RandomRows(4, 6, 1)));
  const auto fail = [&](const std::string& bytes) {
    WriteFile("blocks.npy", bytes);
    return Fail({"pool", "bag.npy", "--blocks", "blocks.npy", "--num-blocks", "3", "-o", "out.npy"},
                1);
  };
  EXPECT_THAT(fail(Npy({4}, {0, 1, 3, 0}, "<i8")), AllOf(HasSubstr("row 2"), HasSubstr("got 3")));
  EXPECT_THAT(fail(Npy({4}, {0, 1, -1, 0}, "<i8")), HasSubstr("row 2"));
  EXPECT_THAT(fail(Npy({3}, {0, 1, 2}, "<i8")), HasSubstr("blocks.npy"));
  EXPECT_THAT(fail(Npy({4, 4}, Row(16, 0.0), "<i8")), HasSubstr("blocks.npy"));
  EXPECT_THAT(fail(Npy({4, 2}, Row(8, 1.0), "<i8")), HasSubstr("bag.npy"));  // twice in one row
  EXPECT_THAT(fail(Npy({4}, Row(4, 4294967296.0), "<i8")), HasSubstr("row 0"));
  WriteFile("weights.npy", Npy({3}, {1, 2, 3}, "<f8"));
  EXPECT_THAT(Fail({"pool", "bag.npy", "--pooling", "weighted", "--input-weights", "weights.npy",
                    "-o", "out.npy"},
                   1),
              HasSubstr("3 weights for the 4 rows"));
}

TEST_F(BadInput, ValuesBeyondFloatNeedDoubleOutput) {
  WriteFile("bag.npy", Npy(Table(4, Row(2, 3e38))));
  EXPECT_THAT(Fail({"pool", "bag.npy", "--pooling", "sum", "-o", "out.npy"}, 1),
              HasSubstr("--dtype f8"));
  Succeed({"pool", "bag.npy", "--pooling", "sum", "-o", "out.npy", "--dtype", "f8"});
  ExpectArray(ParseNpy(ReadFile("out.npy")), {2}, Row(2, 1.2e39));
}

TEST_F(BadInput, AVectorThatVanishesInFloatNeedsDoubleOutput) {
  Table bag(2, Row(3, 1e-38));
  WriteFile("bag.npy", Npy(bag));
  const Args args{"pool", "bag.npy", "-o", "out.npy", "--lambda", "1e20"};
  EXPECT_THAT(Fail(args, 1), AllOf(HasSubstr("bag.npy"), HasSubstr("--dtype f8")));
  Args l2 = args;
  l2.push_back("--l2");
  Succeed(l2);
  ExpectArray(ParseNpy(ReadFile("out.npy")), {3}, Row(3, 1 / std::sqrt(3.0)));
  Args f8 = args;
  f8.insert(f8.end(), {"--dtype", "f8"});
  Succeed(f8);
  ExpectArray(ParseNpy(ReadFile("out.npy")), {3}, Row(3, 2e-58));
  WriteFile("bag.npy", Npy(Table(2, Row(3, 0.0))));  // zeros are zeros
  Succeed(args);
}

TEST_F(BadInput, AnExistingOutputSurvivesAFailure) {
  WriteFile("out.npy", "precious");
  FailOn("hello");
  EXPECT_EQ(ReadFile("out.npy"), "precious");
}

}  // namespace
}  // namespace end_to_end
