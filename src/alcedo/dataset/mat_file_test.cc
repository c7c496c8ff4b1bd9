#include "alcedo/dataset/mat_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "alcedo/dataset/mat_testing.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using namespace mat_testing;
using internal::ParseMatBox;
using internal::ParseMatIntegers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kLow = std::numeric_limits<int>::min(), kHigh = std::numeric_limits<int>::max();

std::vector<int> Integers(const MatBytes& mat, const std::string& elements,
                          const std::string& name = "x") {
  return ParseMatIntegers(mat.File(elements), "file.mat", name, kLow, kHigh);
}
std::string Refusal(const MatBytes& mat, const std::string& elements) {
  return test::MessageOf([&] { Integers(mat, elements); });
}
std::string BoxRefusal(const MatBytes& mat, const std::string& elements) {
  return test::MessageOf([&] { ParseMatBox(mat.File(elements), "box.mat"); });
}

// Both byte orders, compressed or not.
class MatFiles : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  MatBytes mat() const { return {std::get<0>(GetParam())}; }
  std::string Stored(const std::string& element) const {
    return std::get<1>(GetParam()) ? mat().Compress(element) : element;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, MatFiles, ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST_P(MatFiles, EveryClassIsRead) {
  const MatBytes m = mat();
  for (const std::string& element :
       {m.Row<double>(kDoubleClass, kDouble, "x", {1, 2, 100}),
        m.Row<float>(kSingleClass, kSingle, "x", {1, 2, 100}),
        m.Row<std::int8_t>(kInt8Class, kInt8, "x", {1, 2, 100}),
        m.Row<std::uint8_t>(kUint8Class, kUint8, "x", {1, 2, 100}),
        m.Row<std::uint8_t>(kUint8Class | kLogicalFlag, kUint8, "x", {1, 2, 100}),
        m.Row<std::int16_t>(kInt16Class, kInt16, "x", {1, 2, 100}),
        m.Row<std::uint16_t>(kUint16Class, kUint16, "x", {1, 2, 100}),
        m.Row<std::int32_t>(kInt32Class, kInt32, "x", {1, 2, 100}),
        m.Row<std::uint32_t>(kUint32Class, kUint32, "x", {1, 2, 100}),
        m.Row<std::int64_t>(kInt64Class, kInt64, "x", {1, 2, 100}),
        m.Row<std::uint64_t>(kUint64Class, kUint64, "x", {1, 2, 100})}) {
    EXPECT_THAT(Integers(m, Stored(element)), ElementsAre(1, 2, 100));
  }
}

TEST_P(MatFiles, ValuesMayBeStoredInSmallerTypes) {
  const MatBytes m = mat();
  // Four bytes and less are in the tag itself.
  EXPECT_THAT(Integers(m, Stored(m.Row<std::uint8_t>(kDoubleClass, kUint8, "x", {7}))),
              ElementsAre(7));
  EXPECT_THAT(Integers(m, Stored(m.Row<std::int16_t>(kDoubleClass, kInt16, "x", {-300, 2}))),
              ElementsAre(-300, 2));
  EXPECT_THAT(Integers(m, Stored(m.Row<std::uint16_t>(kInt32Class, kUint16, "x", {1, 2, 40000}))),
              ElementsAre(1, 2, 40000));
  EXPECT_THAT(Integers(m, Stored(m.Row<std::int32_t>(kDoubleClass, kInt32, "x", {kLow, kHigh}))),
              ElementsAre(kLow, kHigh));
}

TEST_P(MatFiles, OneVariableOfSeveral) {
  const MatBytes m = mat();
  std::vector<std::uint8_t> many(200'000);
  std::iota(many.begin(), many.end(), std::uint8_t{0});
  const std::string elements =
      Stored(m.Row(kUint8Class, kUint8, "many", many)) +
      Stored(m.Array(kDoubleClass, "cube", {1, 1, 1}, m.Element(kDouble, m.Bytes(1.)))) +
      Stored(m.Element(kMatrix,
                       m.Element(kUint32, m.Word(17) + m.Word(0)) + m.Element(kInt8, "opaque"))) +
      Stored(m.Row<double>(kDoubleClass, kDouble, "x", {5, 6})) +
      Stored(m.Row<double>(kDoubleClass, kDouble, "x", {9})) +
      Stored(m.Row<double>(kDoubleClass, kDouble, "none", {}));
  EXPECT_THAT(Integers(m, elements), ElementsAre(5, 6));
  EXPECT_EQ(Integers(m, elements, "many"), std::vector<int>(many.begin(), many.end()));
  EXPECT_THAT(Integers(m, elements, "none"), ElementsAre());
  EXPECT_THAT(test::MessageOf([&] { Integers(m, elements, "y"); }),
              HasSubstr("file.mat: it has no variable 'y'"));
  EXPECT_THAT(test::MessageOf([&] { Integers(m, elements, "cube"); }),
              HasSubstr("'cube' is not a vector of at most 1048576 numbers"));
}

TEST_P(MatFiles, ColumnsAreVectorsAndOtherShapesAreNot) {
  const MatBytes m = mat();
  const std::string values = m.Element(kUint8, "\1\2\3\4");
  EXPECT_THAT(Integers(m, Stored(m.Array(kDoubleClass, "x", {4, 1}, values))),
              ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Integers(m, Stored(m.Array(kDoubleClass, "x", {0, 0}, m.Element(kDouble, "")))),
              ElementsAre());
  for (const std::string& element :
       {m.Array(kDoubleClass, "x", {2, 2}, values), m.Array(kDoubleClass, "x", {1, 4, 1}, values),
        m.Array(kDoubleClass | kComplexFlag, "x", {1, 4}, values + values),
        m.Array(kCharClass, "x", {1, 4}, values)}) {
    EXPECT_THAT(Refusal(m, Stored(element)), HasSubstr("'x' is not a vector"));
  }
}

TEST_P(MatFiles, BoxesAreRead) {
  const MatBytes m = mat();
  const Box box{9, 11, 51, 59};
  EXPECT_EQ(ParseMatBox(m.File(Stored(m.Box(10, 12, 60, 70))), "b"), box);
  // In another order, of other types, with other fields, behind a mask as in CUB-200.
  const std::string mask =
      m.Array(kUint8Class | kLogicalFlag, "seg", {50, 60}, m.Element(kUint8, std::string(3000, 1)));
  const std::string fields = m.Row<std::uint8_t>(kDoubleClass, kUint8, "", {70}) +
                             m.Element(kMatrix, "") +
                             m.Row<std::int32_t>(kInt32Class, kInt32, "", {60}) +
                             m.Struct("", {1, 1}, 4, {"in"}, m.Number(1)) +
                             m.Row<float>(kSingleClass, kSingle, "", {12}) + m.Number(10);
  const std::string shuffled =
      m.Struct("bbox", {1, 1}, 32, {"bottom", "empty", "right", "nested", "top", "left"}, fields);
  EXPECT_EQ(ParseMatBox(m.File(Stored(mask) + Stored(shuffled)), "b"), box);
}

TEST_P(MatFiles, WrongBoxesAreNamed) {
  const MatBytes m = mat();
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinity, -infinity, nan, 1e300}) {
    EXPECT_THAT(BoxRefusal(m, Stored(m.Box(10, bad, 60, 70))),
                HasSubstr("box.mat: bbox.top must be a number of at most 1000000000"));
  }
  EXPECT_THAT(BoxRefusal(m, Stored(m.Box(60, 12, 10, 70))), HasSubstr("bbox must end right of"));
  EXPECT_THAT(BoxRefusal(m, Stored(m.Struct("bbox", {1, 1}, 8, {"left"}, m.Number(1)))),
              HasSubstr("bbox.top must be a number"));
  EXPECT_THAT(BoxRefusal(m, Stored(m.Number(1))), HasSubstr("it has no struct 'bbox'"));
  EXPECT_THAT(BoxRefusal(m, Stored(m.Row<double>(kDoubleClass, kDouble, "bbox", {1}))),
              HasSubstr("it has no struct 'bbox'"));
  EXPECT_THAT(BoxRefusal(m, Stored(m.Struct("bbox", {2, 1}, 8, {"left"}, m.Number(1)))),
              HasSubstr("bbox must be one struct"));
}

// Sizes that crash a reader that believes them, or make it take all memory.
TEST_P(MatFiles, HostileSizesAreRefused) {
  const MatBytes m = mat();
  const std::uint32_t huge = 0x40000000;
  const std::string numbers = m.Number(10) + m.Number(12) + m.Number(60) + m.Number(70);
  const std::vector<std::string> names = {"left", "top", "right", "bottom"};
  EXPECT_THAT(BoxRefusal(m, Stored(m.Struct("bbox", {huge, 1}, 8, names, numbers))),
              HasSubstr("bbox must be one struct"));
  // The length of a name, and of all of them, larger than the file.
  std::string packed = "left";
  packed.resize(32, '\0');
  const auto box = [&](std::uint32_t width, std::uint32_t bytes) {
    return Stored(
        m.Array(kStructClass, "bbox", {1, 1},
                m.Small(kInt32, m.Word(width)) + m.Word(kInt8) + m.Word(bytes) + packed + numbers));
  };
  EXPECT_THAT(BoxRefusal(m, box(8, huge)), HasSubstr("sizes contradict each other"));
  EXPECT_THAT(BoxRefusal(m, box(huge, 32)), HasSubstr("sizes contradict each other"));
  EXPECT_THAT(BoxRefusal(m, box(0, 32)), HasSubstr("sizes contradict each other"));
  for (const std::uint32_t size : {0x7fffffffU, 0xffffffffU, huge, 6U, 0U}) {
    const std::string head = m.Element(kUint32, m.Word(kDoubleClass) + m.Word(0)) +
                             m.Element(kInt32, m.Word(1) + m.Word(3)) + m.Word(kInt8) +
                             m.Word(size) + "x" + std::string(7, '\0');
    EXPECT_THAT(Refusal(m, Stored(m.Element(kMatrix, head))), HasSubstr("file.mat: it ")) << size;
  }
  EXPECT_THAT(Refusal(m, Stored(m.Array(kDoubleClass, "x", {1, 0xffffffff}, ""))),
              HasSubstr("not a vector of at most"));
  EXPECT_THAT(Refusal(m, Stored(m.Array(kDoubleClass, "x", {1, 1 << 20}, m.Small(kUint8, "\1")))),
              HasSubstr("sizes contradict each other"));
}

TEST_P(MatFiles, DimensionsAndNestingAreBounded) {
  const MatBytes m = mat();
  EXPECT_THAT(Refusal(m, Stored(m.Array(kDoubleClass, "x", std::vector<std::uint32_t>(33, 1), ""))),
              HasSubstr("sizes contradict each other"));
  // A hundred thousand structs inside each other, in a field that nobody asks for.
  const std::string shell = m.Element(kUint32, m.Word(kStructClass) + m.Word(0)) +
                            m.Element(kInt32, m.Word(1) + m.Word(1)) + m.Element(kInt8, "") +
                            m.Small(kInt32, m.Word(8)) + m.Element(kInt8, "a");
  const int depth = 100'000;
  std::string deep;
  for (int i = 0; i < depth; ++i) {
    deep += m.Word(kMatrix) + m.Word(static_cast<std::uint32_t>((depth - i) * (shell.size() + 8))) +
            shell;
  }
  deep += m.Element(kMatrix, "");
  const std::string box =
      m.Struct("bbox", {1, 1}, 8, {"deep", "left", "top", "right", "bottom"},
               deep + m.Number(10) + m.Number(12) + m.Number(60) + m.Number(70));
  EXPECT_EQ(ParseMatBox(m.File(Stored(box)), "b"), (Box{9, 11, 51, 59}));
}

TEST(MatFile, LargeVariablesAreRefusedWithoutInflatingThem) {
  const MatBytes m;
  const std::string mask(20 << 20, '\0');
  const std::string elements =
      m.Compress(m.Array(kUint8Class, "mask", {1024, 20 << 10}, m.Element(kUint8, mask)));
  EXPECT_THAT(test::MessageOf([&] { Integers(m, elements, "mask"); }),
              HasSubstr("'mask' is larger than 16 MiB"));
  EXPECT_THAT(Integers(m, elements + m.Row<double>(kDoubleClass, kDouble, "x", {5})),
              ElementsAre(5));
}

TEST(MatFile, DamagedCompressionIsRefused) {
  const MatBytes m;
  const std::string element = m.Row<double>(kDoubleClass, kDouble, "x", {1, 2, 3});
  std::string flipped = m.Compress(element);
  flipped.back() ^= 1;  // the checksum
  EXPECT_THAT(Refusal(m, flipped), HasSubstr("its compressed data is damaged"));
  EXPECT_THAT(Refusal(m, m.Compress(element + element)), HasSubstr("sizes contradict"));
  EXPECT_THAT(Refusal(m, m.Compress(element.substr(0, element.size() - 8))),
              HasSubstr("it holds less than it says"));
  EXPECT_THAT(Refusal(m, m.Compress(m.Element(kDouble, m.Bytes(1.)))),
              HasSubstr("a compressed variable is not a matrix"));
  std::string longer = m.Compress(element) + "rest";
  longer.replace(4, 4, m.Word(static_cast<std::uint32_t>(longer.size() - 8)));
  EXPECT_THAT(Refusal(m, longer), HasSubstr("sizes contradict"));
}

TEST(MatFile, WhatIsCutOffBehindAVariableIsNoticed) {
  const MatBytes m;
  const std::string elements = m.Row<double>(kDoubleClass, kDouble, "x", {1, 2}) +
                               m.Row<double>(kDoubleClass, kDouble, "y", {3});
  const std::size_t first = m.Row<double>(kDoubleClass, kDouble, "x", {1, 2}).size();
  for (std::size_t size = first + 1; size < elements.size(); ++size) {
    EXPECT_THAT(Refusal(m, elements.substr(0, size)), HasSubstr("not all of it is there")) << size;
  }
  EXPECT_THAT(Integers(m, elements), ElementsAre(1, 2));
}

TEST(MatFile, OtherVersionsAreRefused) {
  const MatBytes m;
  const std::string element = m.Row<double>(kDoubleClass, kDouble, "x", {1});
  for (const std::string& version :
       {std::string("\0\2IM", 4), std::string("\1\0IM", 4), std::string("\0\1MI", 4)}) {
    std::string file = m.File(element);
    file.replace(124, 4, version);
    EXPECT_THAT(test::MessageOf([&] { ParseMatIntegers(file, "f.mat", "x", 0, 9); }),
                HasSubstr("f.mat: it is not a .mat file of MATLAB 5 to 7"));
  }
}

}  // namespace
}  // namespace alcedo
