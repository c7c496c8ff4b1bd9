#include "alcedo/io/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/element.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::Bytes;
using io_testing::MessageOf;
using io_testing::Npy;
using io_testing::NpyWithHeader;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ArrayReader Reader(std::string bytes) { return ArrayReader::FromBytes(std::move(bytes), "a.npy"); }

std::string Refusal(const std::string& bytes) {
  return MessageOf<FormatError>([&] { Reader(bytes); });
}

std::string HeaderRefusal(const std::string& header) {
  return Refusal(NpyWithHeader(header, Bytes<float>({1, 2})));
}

TEST(NpyHeader, AcceptsAnyOrderQuotesSpacesAndTrailingComma) {
  for (const std::string header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }          \n",
        "{'shape':(2,),'descr':'<f4','fortran_order':False}",
        "{\"fortran_order\": False, \"shape\": (2,), \"descr\": \"<f4\"}",
        " {\n 'descr' :\t'<f4' , 'fortran_order' : False,'shape' : ( 2 , ) ,\r\n} "}) {
    for (const int version : {1, 2, 3}) {
      const ArrayReader reader = Reader(NpyWithHeader(header, Bytes<float>({1, 2}), version));
      EXPECT_THAT(reader.arrays()[0].shape, ElementsAre(2)) << header;
      EXPECT_THAT(reader.ReadDoubles(0), ElementsAre(1, 2)) << header;
    }
  }
}

TEST(NpyHeader, RefusesWhatIsNotTheLiteralOfAnArray) {
  const std::string ok = "'descr': '<f4', 'fortran_order': False, ";
  EXPECT_EQ(HeaderRefusal(""),
            "a.npy: the .npy header is malformed: '{' is expected at its byte 0");
  EXPECT_THAT(HeaderRefusal("{"), HasSubstr("a quoted string is expected at its byte 1"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (2,)"), HasSubstr("'}' is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (2,)} x"), HasSubstr("nothing but spaces"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (2,),,}"), HasSubstr("a quoted string"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (2)}"), HasSubstr("a tuple is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': [2]}"), HasSubstr("'(' is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (,)}"), HasSubstr("a dimension is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (2 3)}"), HasSubstr("',' or ')' is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (02,)}"), HasSubstr("leading zeros"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (1+1,)}"), HasSubstr("',' or ')' is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape': (0x2,)}"), HasSubstr("is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape' (2,)}"), HasSubstr("':' is expected"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'sh\\x61pe': (2,)}"), HasSubstr("plain string"));
  EXPECT_THAT(HeaderRefusal("{" + ok + "'shape"), HasSubstr("plain string"));
  EXPECT_THAT(HeaderRefusal("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
              HasSubstr("True or False is expected"));
  EXPECT_THAT(HeaderRefusal("{'descr': [('x', '<f4', 'fortran_order': False"),
              HasSubstr("the end of a list"));
  EXPECT_THAT(HeaderRefusal("{'descr': 4}"), HasSubstr("a quoted string"));
}

TEST(NpyHeader, RefusesMissingDoubleAndUnknownKeys) {
  EXPECT_EQ(HeaderRefusal("{}"), "a.npy: the .npy header has no 'descr'");
  EXPECT_EQ(HeaderRefusal("{'descr': '<f4', 'shape': (2,)}"),
            "a.npy: the .npy header has no 'fortran_order'");
  EXPECT_EQ(HeaderRefusal("{'descr': '<f4', 'fortran_order': False}"),
            "a.npy: the .npy header has no 'shape'");
  EXPECT_EQ(HeaderRefusal("{'shape': (2,), 'shape': (2,)}"),
            "a.npy: the .npy header has 'shape' twice");
  EXPECT_EQ(
      HeaderRefusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x\n': 1}"),
      "a.npy: the .npy header has the unknown key 'x\\x0a'; only 'descr', 'fortran_order' and "
      "'shape' are known");
}

TEST(NpyHeader, RefusesDtypesByNameAndSaysWhatToDo) {
  const auto refusal = [](const std::string& descr) {
    return Refusal(Npy(descr, "(1,)", "12345678"));
  };
  EXPECT_EQ(
      refusal("|O"),
      "a.npy: dtype '|O' holds Python objects, which are not read because that would run code; "
      "save the array as numbers, e.g. as float32");
  EXPECT_EQ(
      refusal("<c8"),
      "a.npy: dtype '<c8' (complex numbers) is not supported; save the array as numbers, e.g. "
      "as float32");
  for (const char* descr :
       {"<U2", "|S8", "<M8[ns]", "<m8[s]", "|V8", "<f16", "<f3", "<i3", "", "<", "x"}) {
    EXPECT_THAT(refusal(descr), HasSubstr("dtype '" + std::string(descr) + "' ("));
    EXPECT_THAT(refusal(descr), HasSubstr("save the array as numbers, e.g. as float32"));
  }
  EXPECT_EQ(
      HeaderRefusal("{'descr': [('x', '<f4'), ('y', '<f4', (2,))], 'fortran_order': False, "
                    "'shape': (2,)}"),
      "a.npy: dtype '[('x', '<f4'), ('y', '<f4', (2,))]' is structured; save each of its fields "
      "as an array of its own, e.g. as float32");
}

TEST(Npy, RefusesOtherVersionsAndMagic) {
  EXPECT_EQ(Refusal(NpyWithHeader("{}", "", 4)),
            "a.npy: .npy version 4.0 is not supported, only 1.0, 2.0 and 3.0");
  std::string minor = NpyWithHeader("{}", "");
  minor[7] = 1;
  EXPECT_THAT(Refusal(minor), HasSubstr("version 1.1"));
  EXPECT_EQ(MessageOf<FormatError>([] { internal::ParseNpyPreamble("NUMPY...\1\0", {"m"}); }),
            "m: does not begin with the magic string of a .npy");
}

TEST(Npy, EveryPrefixIsTruncated) {
  const std::string file = Npy("<f4", "(2, 3)", Bytes<float>({1, 2, 3, 4, 5, 6}));
  for (std::size_t size = 6; size < file.size(); ++size) {
    EXPECT_THAT(Refusal(file.substr(0, size)),
                ::testing::AnyOf(HasSubstr("is truncated"), HasSubstr("is cut short")))
        << size;
  }
  EXPECT_EQ(
      Refusal(file.substr(0, file.size() - 5)),
      "a.npy: is truncated: shape (2, 3) of float32 needs 24 bytes of data, but 19 are there");
}

TEST(Npy, RefusesTrailingBytes) {
  EXPECT_EQ(
      Refusal(Npy("<f4", "(1,)", "12345")),
      "a.npy: has 1 bytes after its data: shape (1,) of float32 needs 4 bytes, but 5 are there");
}

TEST(Npy, HostileShapesGiveOneSentence) {
  const auto refusal = [](const std::string& shape) { return Refusal(Npy("<f4", shape, "1234")); };
  EXPECT_EQ(
      refusal("(1152921504606846976,)"),
      "a.npy: is truncated: shape (1152921504606846976,) of float32 needs 4611686018427387904 "
      "bytes of data, but 4 are there");
  EXPECT_EQ(
      refusal("(4294967296, 4294967296)"),
      "a.npy: shape (4294967296, 4294967296) of float32 is larger than any memory; the header is "
      "wrong");
  EXPECT_THAT(refusal("(9223372036854775807,)"), HasSubstr("larger than any memory"));
  // Products that wrap around to a small number.
  EXPECT_THAT(refusal("(4294967296, 4294967296, 1)"), HasSubstr("larger than any memory"));
  EXPECT_THAT(refusal("(9223372036854775807, 2, 0)"), HasSubstr("larger than any memory"));
  EXPECT_THAT(refusal("(1152921504606846976, 0)"), HasSubstr("has no elements"));
  EXPECT_EQ(refusal("(9223372036854775808,)"),
            "a.npy: a dimension in the .npy header is larger than 9223372036854775807");
  EXPECT_EQ(refusal("(-1,)"), "a.npy: the shape in the .npy header has a negative dimension");
}

TEST(Npy, AHeaderLongerThanTheFileIsRefused) {
  const std::string start = std::string("\x93NUMPY\2\0", 8);
  EXPECT_EQ(Refusal(start + io_testing::Little(0xffffffff, 4) + "{}"),
            "a.npy: the .npy header claims 4294967295 bytes, more than the limit of 1048576");
  EXPECT_EQ(Refusal(start + io_testing::Little(1000, 4) + "{}"),
            "a.npy: is truncated: the .npy header ends at byte 1012, but the file after 14");
}

TEST(Npy, ScalarsAndEmptyArrays) {
  EXPECT_THAT(Reader(Npy("<f8", "()", Bytes<double>({7}))).ReadDoubles(0), ElementsAre(7));
  const Rows scalar = Reader(Npy("<f8", "()", Bytes<double>({7}))).ReadRows(0);
  EXPECT_EQ(scalar.rows(), 1);
  EXPECT_EQ(scalar.cols(), 1);
  for (const bool fortran : {false, true}) {
    const Rows none = Reader(Npy("<f4", "(0, 5)", "", fortran)).ReadRows(0);
    EXPECT_EQ(none.rows(), 0);
    EXPECT_EQ(none.cols(), 5);
    EXPECT_EQ(Reader(Npy("<f4", "(3, 0)", "", fortran)).ReadRows(0).rows(), 3);
    EXPECT_EQ(Reader(Npy("<i8", "(0,)", "", fortran)).ReadIntegers(0).size(), 0u);
  }
}

TEST(Npy, EveryTypeInBothByteOrders) {
  const auto integers = [](const std::string& descr, const std::string& shape,
                           const std::string& data) {
    return Reader(Npy(descr, shape, data)).ReadIntegers(0);
  };
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    EXPECT_THAT(integers(order + "i2", "(2,)", Bytes<std::int16_t>({-32768, 258}, big)),
                ElementsAre(-32768, 258));
    EXPECT_THAT(integers(order + "i4", "(2,)", Bytes<std::int32_t>({-70000, 1}, big)),
                ElementsAre(-70000, 1));
    EXPECT_THAT(integers(order + "i8", "(2,)", Bytes<std::int64_t>({INT64_MIN, INT64_MAX}, big)),
                ElementsAre(INT64_MIN, INT64_MAX));
    EXPECT_THAT(integers(order + "u2", "(1,)", Bytes<std::uint16_t>({65534}, big)),
                ElementsAre(65534));
    EXPECT_THAT(integers(order + "u4", "(1,)", Bytes<std::uint32_t>({4294967294u}, big)),
                ElementsAre(4294967294));
    EXPECT_THAT(integers(order + "u8", "(1,)", Bytes<std::uint64_t>({INT64_MAX}, big)),
                ElementsAre(INT64_MAX));
    EXPECT_THAT(Reader(Npy(order + "f2", "(2,)", Bytes<std::uint16_t>({0x3c00, 0xc100}, big)))
                    .ReadDoubles(0),
                ElementsAre(1, -2.5));
    EXPECT_THAT(Reader(Npy(order + "f4", "(2,)", Bytes<float>({1.5f, -3e38f}, big))).ReadDoubles(0),
                ElementsAre(1.5f, -3e38f));
    EXPECT_THAT(Reader(Npy(order + "f8", "(2,)", Bytes<double>({0.1, 1e300}, big))).ReadDoubles(0),
                ElementsAre(0.1, 1e300));
    EXPECT_EQ(Reader(Npy(order + "f8", "(1,)", Bytes<double>({0.1}, big))).ReadRows(0)(0, 0), 0.1f);
  }
  EXPECT_THAT(integers("|i1", "(2,)", "\x80\x7f"), ElementsAre(-128, 127));
  EXPECT_THAT(integers("|u1", "(2,)", "\x80\xff"), ElementsAre(128, 255));
  EXPECT_THAT(integers("|b1", "(3,)", std::string("\0\1\2", 3)), ElementsAre(0, 1, 1));
  EXPECT_THAT(integers("=i2", "(1,)", Bytes<std::int16_t>({-7})), ElementsAre(-7));
  EXPECT_THAT(Reader(Npy("|f4", "(1,)", Bytes<float>({2}))).ReadDoubles(0), ElementsAre(2));
}

TEST(Npy, FortranOrderOfAnyDimension) {
  const std::vector<std::vector<int>> shapes = {{5},     {1, 7},    {7, 1},          {37, 5},
                                                {5, 37}, {3, 4, 5}, {2, 1, 3, 17, 2}};
  for (const std::vector<int>& shape : shapes) {
    std::string text;
    int total = 1;
    for (const int d : shape) {
      text += std::to_string(d) + ",";
      total *= d;
    }
    // The element at C position i lies where its first index runs fastest.
    std::vector<float> stored(total);
    for (int i = 0; i < total; ++i) {
      int rest = i, place = 0;
      std::vector<int> index(shape.size());
      for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
        index[d] = rest % shape[d];
        rest /= shape[d];
      }
      for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d)
        place = place * shape[d] + index[d];
      stored[place] = static_cast<float>(i);
    }
    const ArrayReader reader = Reader(Npy("<f4", "(" + text + ")", Bytes(stored), true));
    const std::vector<double> values = reader.ReadDoubles(0);
    const Rows rows = reader.ReadRows(0);
    ASSERT_EQ(rows.cols(), shape.back());
    for (int i = 0; i < total; ++i) {
      ASSERT_EQ(values[i], i) << text;
      ASSERT_EQ(rows(i / shape.back(), i % shape.back()), i) << text;
    }
  }
}

TEST(Half, EveryPatternAgainstTheFormula) {
  for (int bits = 0; bits < 65536; ++bits) {
    const int sign = bits >> 15, exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const float actual = internal::HalfToFloat(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(std::signbit(actual), sign == 1) << bits;
    if (exponent == 31) {
      ASSERT_EQ(std::isnan(actual), fraction != 0) << bits;
      ASSERT_EQ(std::isinf(actual), fraction == 0) << bits;
      continue;
    }
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(actual, static_cast<float>(sign == 1 ? -magnitude : magnitude)) << bits;
  }
}

TEST(Npy, SubnormalsSurvive) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(Reader(Npy("<f4", "(1,)", Bytes<float>({tiny}))).ReadRows(0)(0, 0), tiny);
  EXPECT_EQ(Reader(Npy("<f8", "(1,)", Bytes<double>({tiny}))).ReadRows(0)(0, 0), tiny);
  EXPECT_EQ(Reader(Npy("<f2", "(1,)", Bytes<std::uint16_t>({1}))).ReadRows(0)(0, 0), 0x1p-24f);
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_THAT(Reader(Npy("<f8", "(1,)", Bytes<double>({least}))).ReadDoubles(0),
              ElementsAre(least));
}

TEST(Npy, ManyElementsOfANarrowTypeCrossTheChunks) {
  std::vector<std::int16_t> values(40000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int16_t>(i * 7919);
  const auto read = Reader(Npy(">i2", "(200, 200)", Bytes(values, true))).ReadIntegers(0);
  ASSERT_EQ(read.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(read[i], values[i]);
}

}  // namespace
}  // namespace alcedo
