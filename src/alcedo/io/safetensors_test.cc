#include "alcedo/io/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::Bytes;
using io_testing::Little;
using io_testing::MessageOf;
using io_testing::Safetensors;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

ArrayReader Reader(std::string bytes) {
  return ArrayReader::FromBytes(std::move(bytes), "c.safetensors");
}

std::string Refusal(const std::string& header, const std::string& data = "") {
  return MessageOf<FormatError>([&] { Reader(Safetensors(header, data)); });
}

std::string Entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + offsets +
         "]}";
}

TEST(Safetensors, ReadsArraysAndMetadata) {
  const std::string header = R"({"__metadata__":{"made by":"hand","é":"\n"},"z":)" +
                             Entry("F32", "1,2", "8,16") + R"(,"a":)" + Entry("I32", "2", "0,8") +
                             "}   ";
  const ArrayReader reader =
      Reader(Safetensors(header, Bytes<std::int32_t>({-5, 6}) + Bytes<float>({1.5, 2})));
  ASSERT_EQ(reader.arrays().size(), 2u);
  EXPECT_EQ(reader.arrays()[0].name, "z");
  EXPECT_THAT(reader.arrays()[0].shape, ElementsAre(1, 2));
  EXPECT_THAT(reader.ReadDoubles(0), ElementsAre(1.5, 2));
  EXPECT_THAT(reader.ReadIntegers(reader.Find("a")), ElementsAre(-5, 6));
  EXPECT_THAT(reader.metadata(), ElementsAre(Pair("made by", "hand"), Pair("é", "\n")));
}

TEST(Safetensors, ReadsEveryType) {
  const auto one = [](const std::string& dtype, const std::string& data) {
    return Reader(
        Safetensors(R"({"x":)" + Entry(dtype, "", "0," + std::to_string(data.size())) + "}", data));
  };
  EXPECT_THAT(one("BOOL", "\1").ReadIntegers(0), ElementsAre(1));
  EXPECT_THAT(one("I8", "\xfe").ReadIntegers(0), ElementsAre(-2));
  EXPECT_THAT(one("U8", "\xfe").ReadIntegers(0), ElementsAre(254));
  EXPECT_THAT(one("I16", Bytes<std::int16_t>({-300})).ReadIntegers(0), ElementsAre(-300));
  EXPECT_THAT(one("U16", Bytes<std::uint16_t>({65000})).ReadIntegers(0), ElementsAre(65000));
  EXPECT_THAT(one("I32", Bytes<std::int32_t>({-70000})).ReadIntegers(0), ElementsAre(-70000));
  EXPECT_THAT(one("U32", Bytes<std::uint32_t>({4000000000u})).ReadIntegers(0),
              ElementsAre(4000000000));
  EXPECT_THAT(one("I64", Bytes<std::int64_t>({INT64_MIN})).ReadIntegers(0), ElementsAre(INT64_MIN));
  EXPECT_THAT(one("U64", Bytes<std::uint64_t>({77})).ReadIntegers(0), ElementsAre(77));
  EXPECT_THAT(one("F16", Bytes<std::uint16_t>({0xc000})).ReadDoubles(0), ElementsAre(-2));
  EXPECT_THAT(one("BF16", Bytes<std::uint16_t>({0x3fc0})).ReadDoubles(0), ElementsAre(1.5));
  EXPECT_THAT(one("F32", Bytes<float>({0.25f})).ReadDoubles(0), ElementsAre(0.25));
  EXPECT_THAT(one("F64", Bytes<double>({0.1})).ReadDoubles(0), ElementsAre(0.1));
}

TEST(Safetensors, UnknownTypesAreRefusedWhenRead) {
  const ArrayReader reader = Reader(Safetensors(
      R"({"x":)" + Entry("F8_E4M3", "3", "0,3") + R"(,"y":)" + Entry("U8", "1", "3,4") + "}",
      "abc\5"));
  EXPECT_EQ(reader.arrays()[0].type, ElementType::kUnsupported);
  EXPECT_THAT(reader.ReadIntegers(1), ElementsAre(5));
  EXPECT_EQ(MessageOf<FormatError>([&] { reader.ReadRows(0); }),
            "c.safetensors: array 'x': dtype 'F8_E4M3' is not supported; save the array as F32");
}

TEST(Safetensors, EmptyArraysAndEmptyFiles) {
  EXPECT_TRUE(Reader(Safetensors("{}", "")).arrays().empty());
  const std::string header = R"({"x":)" + Entry("F32", "0,4", "4,4") + R"(,"y":)" +
                             Entry("F32", "1", "0,4") + R"(,"z":)" + Entry("F32", "0", "0,0") + "}";
  const ArrayReader reader = Reader(Safetensors(header, Bytes<float>({3})));
  EXPECT_EQ(reader.ReadRows(0).cols(), 4);
  EXPECT_THAT(reader.ReadDoubles(1), ElementsAre(3));
}

TEST(Safetensors, RefusesWrongHeaderLengths) {
  const auto refusal = [](std::uint64_t length) {
    return MessageOf<FormatError>([&] { Reader(Little(length, 8) + "{}"); });
  };
  EXPECT_EQ(
      refusal(~std::uint64_t{0}),
      "c.safetensors: the safetensors header claims 18446744073709551615 bytes, more than the "
      "limit of 100000000");
  EXPECT_EQ(refusal(3),
            "c.safetensors: is truncated: the safetensors header claims 3 bytes, but 2 are there");
  EXPECT_THAT(refusal(1), HasSubstr("is not valid JSON near its byte"));
  EXPECT_THAT(refusal(0), HasSubstr("is not valid JSON"));
}

TEST(Safetensors, RefusesOffsetsThatDoNotFit) {
  const auto refusal = [](const std::string& shape, const std::string& offsets) {
    return Refusal(R"({"x":)" + Entry("F32", shape, offsets) + "}", "12345678");
  };
  EXPECT_EQ(refusal("2", "0,4"),
            "c.safetensors: array 'x': shape (2,) of float32 needs 8 bytes, but its data_offsets "
            "[0, 4] span 4");
  EXPECT_THAT(refusal("2", "8,0"), HasSubstr("data_offsets [8, 0] run backwards"));
  EXPECT_EQ(refusal("4", "0,16"),
            "c.safetensors: is truncated: its arrays need 16 bytes of data, but 8 are there");
  EXPECT_EQ(refusal("1", "0,4"),
            "c.safetensors: has 4 bytes after its data: its arrays need 4 bytes, but 8 are there");
  EXPECT_EQ(
      refusal("1", "4,8"),
      "c.safetensors: array 'x': begins at byte 4 of the data, with a hole after the one before "
      "it, which ends at 0");
  EXPECT_THAT(refusal("1", "18446744073709551612,18446744073709551615"), HasSubstr("span 3"));
  EXPECT_EQ(
      Refusal(R"({"x":)" + Entry("F32", "2", "0,8") + R"(,"y":)" + Entry("F32", "1", "4,8") + "}",
              "12345678"),
      "c.safetensors: array 'y': begins at byte 4 of the data, inside the one before it, which "
      "ends at 8");
}

TEST(Safetensors, RefusesHostileShapes) {
  const auto refusal = [](const std::string& shape) {
    return Refusal(R"({"x":)" + Entry("F32", shape, "0,4") + "}", "1234");
  };
  EXPECT_THAT(refusal("1152921504606846976"), HasSubstr("needs 4611686018427387904 bytes"));
  EXPECT_THAT(refusal("4294967296,4294967296"), HasSubstr("larger than any memory"));
  EXPECT_THAT(refusal("9223372036854775808"), HasSubstr("which is too large"));
  EXPECT_THAT(refusal("99999999999999999999999"), HasSubstr("must be a whole one"));
  EXPECT_EQ(
      refusal("-1"),
      "c.safetensors: the safetensors header is wrong: 'x' has the number -1, which must not be "
      "negative");
  EXPECT_THAT(refusal("1.0"), HasSubstr("must be a whole one"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("a list is not expected in 'x'"));
}

TEST(Safetensors, RefusesEverythingElseInTheHeader) {
  const std::string ok = Entry("F32", "", "0,4");
  const auto refusal = [](const std::string& header) { return Refusal(header, "1234"); };
  EXPECT_THAT(refusal(R"({"x":)" + ok + R"(,"x":)" + ok + "}"), HasSubstr("header has 'x' twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"k":"v","k":"v"},"x":)" + ok + "}"),
              HasSubstr("'__metadata__' has 'k' twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{},"__metadata__":{}})"), HasSubstr("twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"k":1}})"), HasSubstr("a number is not expected"));
  EXPECT_THAT(refusal(R"({"__metadata__":"k"})"), HasSubstr("a string is not expected"));
  EXPECT_THAT(refusal(R"({"x":{"dtype":"F32","dtype":"F32"}})"), HasSubstr("has 'dtype' twice"));
  EXPECT_THAT(refusal(R"({"x":{"stride":1}})"), HasSubstr("has the unknown key 'stride'"));
  EXPECT_THAT(refusal(R"({"x":{"shape":[],"data_offsets":[0,4]}})"), HasSubstr("has no 'dtype'"));
  EXPECT_THAT(refusal(R"({"x":{"dtype":"F32","data_offsets":[0,4]}})"),
              HasSubstr("has no 'shape'"));
  EXPECT_THAT(refusal(R"({"x":{"dtype":"F32","shape":[]}})"), HasSubstr("has no 'data_offsets'"));
  EXPECT_THAT(refusal(R"({"x":)" + Entry("F32", "", "0") + "}"),
              HasSubstr("needs two data_offsets"));
  EXPECT_THAT(refusal(R"({"x":)" + Entry("F32", "", "0,4,4") + "}"), HasSubstr("more than two"));
  EXPECT_THAT(refusal(R"({"x":{"dtype":[]}})"), HasSubstr("a list is not expected"));
  EXPECT_THAT(refusal(R"({"x":{"shape":4}})"), HasSubstr("a number is not expected"));
  EXPECT_THAT(refusal(R"({"x":null})"), HasSubstr("null is not expected in 'x'"));
  EXPECT_THAT(refusal(R"({"x":true})"), HasSubstr("a boolean is not expected"));
  EXPECT_THAT(refusal(R"({"x":{"dtype":{}}})"), HasSubstr("an object is not expected"));
  EXPECT_THAT(refusal("{\"\xff\":1}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{} {}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(std::string(50'000, '{')), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(R"({"x":{"shape":)" + std::string(50'000, '[')), HasSubstr("not expected"));
}

}  // namespace
}  // namespace alcedo
