#include "alcedo/io/array_writer.h"

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
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NpyBytes, WritesTheDocumentedBytes) {
  const std::string data = Bytes<float>({1, 2, 3, 4, 5, 6});
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(NpyBytes({"", {2, 3}, ElementType::kFloat32, data}),
            std::string("\x93NUMPY\1\0", 8) + Little(118, 2) + header +
                std::string(117 - header.size(), ' ') + "\n" + data);
}

TEST(NpyBytes, EveryTypeRoundTrips) {
  const auto integers = [](ElementType type, const std::string& data) {
    const ArrayReader reader = ArrayReader::FromBytes(NpyBytes({"", {1, 1}, type, data}), "x");
    EXPECT_EQ(reader.arrays()[0].type, type);
    return reader.ReadIntegers(0);
  };
  EXPECT_THAT(integers(ElementType::kBool, "\1"), ElementsAre(1));
  EXPECT_THAT(integers(ElementType::kInt8, "\xff"), ElementsAre(-1));
  EXPECT_THAT(integers(ElementType::kUint8, "\xff"), ElementsAre(255));
  EXPECT_THAT(integers(ElementType::kInt16, Bytes<std::int16_t>({-2})), ElementsAre(-2));
  EXPECT_THAT(integers(ElementType::kUint16, Bytes<std::uint16_t>({65535})), ElementsAre(65535));
  EXPECT_THAT(integers(ElementType::kInt32, Bytes<std::int32_t>({-3})), ElementsAre(-3));
  EXPECT_THAT(integers(ElementType::kUint32, Bytes<std::uint32_t>({3})), ElementsAre(3));
  EXPECT_THAT(integers(ElementType::kInt64, Bytes<std::int64_t>({-4})), ElementsAre(-4));
  EXPECT_THAT(integers(ElementType::kUint64, Bytes<std::uint64_t>({4})), ElementsAre(4));
  const auto floats = [](ElementType type, const std::string& data) {
    const ArrayReader reader = ArrayReader::FromBytes(NpyBytes({"", {}, type, data}), "x");
    EXPECT_EQ(reader.arrays()[0].type, type);
    EXPECT_TRUE(reader.arrays()[0].shape.empty());
    return reader.ReadDoubles(0);
  };
  EXPECT_THAT(floats(ElementType::kFloat16, Bytes<std::uint16_t>({0x3e00})), ElementsAre(1.5));
  EXPECT_THAT(floats(ElementType::kFloat32, Bytes<float>({2.5f})), ElementsAre(2.5));
  EXPECT_THAT(floats(ElementType::kFloat64, Bytes<double>({0.1})), ElementsAre(0.1));
}

TEST(NpyBytes, TheDataIsAlignedWhateverTheHeader) {
  for (const std::size_t dimensions : {0u, 1u, 2u, 10u, 30u, 21'800u, 30'000u}) {
    const std::vector<Index> shape(dimensions, 1);
    const std::string file = NpyBytes({"", shape, ElementType::kInt8, "x"});
    EXPECT_EQ((file.size() - 1) % 64, 0u) << dimensions;
    EXPECT_EQ(file[6], dimensions > 21'830 ? 2 : 1) << dimensions;
    EXPECT_EQ(ArrayReader::FromBytes(file, "x").arrays()[0].shape, shape);
  }
}

TEST(NpyBytes, RefusesWhatDoesNotFit) {
  const auto refusal = [](const ArrayToWrite& array) {
    return MessageOf<InvalidArgument>([&] { NpyBytes(array); });
  };
  EXPECT_EQ(refusal({"w", {2}, ElementType::kFloat32, "123"}),
            "array 'w': shape (2,) of float32 needs 8 bytes, got 3");
  EXPECT_EQ(refusal({"w", {-1}, ElementType::kFloat32, ""}),
            "array 'w': shape (-1,) of float32 has a negative dimension");
  EXPECT_THAT(refusal({"w", {1}, ElementType::kBfloat16, "12"}), HasSubstr("no such type"));
  EXPECT_THAT(refusal({"w", {1}, ElementType::kUnsupported, "1"}),
              HasSubstr("an unsupported type"));
}

TEST(SafetensorsBytes, WritesTheDocumentedBytes) {
  const std::string data = Bytes<float>({1, 2});
  const std::vector<ArrayToWrite> arrays = {{"b", {2, 1}, ElementType::kFloat32, data},
                                            {"a\"", {}, ElementType::kUint8, "x"}};
  std::string header =
      R"({"__metadata__":{"k":"v"},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
      R"("a\"":{"dtype":"U8","shape":[],"data_offsets":[8,9]}})";
  while (header.size() % 8 != 0) header += ' ';
  EXPECT_EQ(SafetensorsBytes(arrays, {{"k", "v"}}), Little(header.size(), 8) + header + data + "x");
  EXPECT_EQ(SafetensorsBytes({}, {}), Little(8, 8) + "{}      ");
}

TEST(SafetensorsBytes, RoundTrips) {
  const std::string half = Bytes<std::uint16_t>({0x3fc0, 0xbfc0}), wide = Bytes<double>({0.1});
  const std::vector<ArrayToWrite> arrays = {{"half", {1, 2}, ElementType::kBfloat16, half},
                                            {"none", {0, 7}, ElementType::kFloat32, ""},
                                            {"é\n", {1}, ElementType::kFloat64, wide}};
  const std::map<std::string, std::string> metadata = {{"x", "\"1\""}, {"", "é\t"}};
  const ArrayReader reader = ArrayReader::FromBytes(SafetensorsBytes(arrays, metadata), "x");
  EXPECT_EQ(reader.metadata(), metadata);
  EXPECT_THAT(reader.ReadDoubles(reader.Find("half")), ElementsAre(1.5, -1.5));
  EXPECT_EQ(reader.ReadRows(reader.Find("none")).cols(), 7);
  EXPECT_THAT(reader.ReadDoubles(reader.Find("é\n")), ElementsAre(0.1));
}

TEST(SafetensorsBytes, RefusesNamesThatCannotBeWritten) {
  const auto refusal = [](const std::vector<std::string>& names) {
    std::vector<ArrayToWrite> arrays;
    for (const std::string& name : names) arrays.push_back({name, {}, ElementType::kUint8, "x"});
    return MessageOf<InvalidArgument>([&] { SafetensorsBytes(arrays, {}); });
  };
  EXPECT_EQ(refusal({"a", "a"}), "array 'a' must have a name of its own to be written");
  EXPECT_THAT(refusal({"__metadata__"}), HasSubstr("must have a name of its own"));
  EXPECT_THAT(refusal({"\xff"}), HasSubstr("must be UTF-8"));
  EXPECT_THROW(SafetensorsBytes({}, {{"k", "\xff"}}), InvalidArgument);
}

// A header and the elements behind it are the file.
TEST(HeaderBytes, AreTheBeginningOfTheFile) {
  const std::string data = Bytes<double>({1, 2, 3, 4, 5, 6});
  for (const std::vector<Index>& shape : {std::vector<Index>{6}, {2, 3}, {1, 6, 1}}) {
    EXPECT_EQ(NpyHeaderBytes(shape, ElementType::kFloat64) + data,
              NpyBytes({"", shape, ElementType::kFloat64, data}));
    const ArrayToWrite array{"x", shape, ElementType::kFloat64, data};
    const std::map<std::string, std::string> metadata{{"key", "value"}};
    EXPECT_EQ(SafetensorsHeaderBytes({"x", shape, ElementType::kFloat64}, metadata) + data,
              SafetensorsBytes({&array, 1}, metadata));
  }
  EXPECT_THROW(NpyHeaderBytes({-1}, ElementType::kFloat32), InvalidArgument);
  EXPECT_THROW(NpyHeaderBytes({1}, ElementType::kUnsupported), InvalidArgument);
  EXPECT_THROW(SafetensorsHeaderBytes({"__metadata__", {1}, ElementType::kFloat32}, {}),
               InvalidArgument);
}

}  // namespace
}  // namespace alcedo
