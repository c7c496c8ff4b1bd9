#include "alcedo/descriptors/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/array_writer.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;

Rows RandomRows(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  Rows values(rows, columns);
  for (float& value : values.reshaped()) value = static_cast<float>(rng.Normal());
  return values;
}

std::string FloatBytes(const Rows& rows) {
  return {reinterpret_cast<const char*>(rows.data()), sizeof(float) * rows.size()};
}

template <class Action>
std::string MessageOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

DescribeOptions External() {
  DescribeOptions options;
  options.descriptor = ExternalOptions{};
  return options;
}

TEST(Describer, ReadsArraysWithPositions) {
  const Rows values = RandomRows(3, 2, 1);
  Rows positions(3, 3);
  positions << 1, 2, 16, 30, 20, 16, 64, 48, 32;
  const std::string v = FloatBytes(values), p = FloatBytes(positions);
  const std::int64_t size[] = {64, 48};
  const std::string s(reinterpret_cast<const char*>(size), sizeof(size));
  const std::vector<ArrayToWrite> arrays{{"descriptors", {3, 2}, ElementType::kFloat32, v},
                                         {"positions", {3, 3}, ElementType::kFloat32, p},
                                         {"image_size", {2}, ElementType::kInt64, s}};
  const Descriptors read =
      Describer(External()).FromBytes(SafetensorsBytes(arrays, {}), "t.safetensors");
  EXPECT_EQ(read.values, values);
  ASSERT_EQ(read.patches.size(), 3u);
  EXPECT_EQ(read.patches[2].size, 32);
  EXPECT_EQ(read.width, 64);
  EXPECT_EQ(read.height, 48);

  const Descriptors bare =
      Describer(External()).FromBytes(NpyBytes({"", {1, 3, 2}, ElementType::kFloat32, v}), "t.npy");
  EXPECT_EQ(bare.values, values);
  EXPECT_TRUE(bare.patches.empty());

  const std::vector<ArrayToWrite> outside{{"descriptors", {3, 2}, ElementType::kFloat32, v},
                                          {"positions", {3, 3}, ElementType::kFloat32, p}};
  EXPECT_THAT(
      MessageOf([&] { Describer(External()).FromBytes(SafetensorsBytes(outside, {}), "t"); }),
      HasSubstr("t: the position of row 0 is (1, 2), outside of the image of 1 x 1"));
}

TEST(Describer, RefusesWhatItCannotRead) {
  const Rows values = RandomRows(3, 2, 1);
  const std::string v = FloatBytes(values);
  EXPECT_THAT(MessageOf([] { Describer().FromBytes("", "a.jpg"); }), HasSubstr("a.jpg: is empty"));
  try {
    Describer().FromBytes(NpyBytes({"", {3, 2}, ElementType::kFloat32, v}), "a.npy");
    FAIL() << "an array is not an image";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.file(), "a.npy");
    EXPECT_EQ(error.reason(), "is an array file, and sift descriptors are made from images");
    EXPECT_EQ(error.hint().option, "descriptor");
    EXPECT_EQ(error.hint().value, "external");
  }
  EXPECT_THAT(MessageOf([] { Describer(External()).FromBytes("hello, world", "a.txt"); }),
              HasSubstr("a.txt: is not an array file"));
  EXPECT_THAT(
      MessageOf([&] {
        Describer(External()).FromBytes(NpyBytes({"", {6}, ElementType::kFloat32, v}), "a.npy");
      }),
      HasSubstr("patches x dimensions"));
  const std::vector<ArrayToWrite> two{{"a", {3, 2}, ElementType::kFloat32, v},
                                      {"b", {3, 2}, ElementType::kFloat32, v}};
  EXPECT_THAT(MessageOf([&] { Describer(External()).FromBytes(SafetensorsBytes(two, {}), "a"); }),
              HasSubstr("one of its 2 arrays must be called 'descriptors'"));
}

TEST(Describer, ImagesGiveTheDescriptorsAskedFor) {
  Image image = MakeImage(60, 40, 3);
  Rng rng(3);
  for (float& sample : image.samples) sample = static_cast<float>(255 * rng.Uniform());
  DescribeOptions options;
  options.grid.scales = 1;
  const Descriptors sift = Describer(options).FromImage(image);
  EXPECT_EQ(sift.values.rows(), 10 * 5);
  EXPECT_EQ(sift.values.cols(), 128);
  options.descriptor = ColorOptions{};
  const Descriptors color = Describer(options).FromImage(image);
  EXPECT_EQ(color.values.rows(), 10 * 5);
  EXPECT_EQ(color.values.cols(), 96);
  EXPECT_EQ(color.width, 60);
  EXPECT_THROW(Describer(External()).FromImage(image), InvalidArgument);

  const std::string file = PnmBytes(image);
  DescribeReport report;
  options.image.max_pixels = 600;
  const Descriptors small = Describer(options).FromBytes(file, "a.ppm", 2, &report);
  EXPECT_EQ(report.original_width, 60);
  EXPECT_EQ(report.original_height, 40);
  EXPECT_EQ(report.width, 30);
  EXPECT_EQ(report.height, 20);
  EXPECT_EQ(small.width, 60);
}

TEST(Describer, ChecksItsOptions) {
  DescribeOptions options;
  options.grid.step = 0;
  EXPECT_THAT(MessageOf([&] { Describer describer(options); }),
              HasSubstr("grid.step must be >= 1, got 0"));
  options.grid.step = 4;
  options.descriptor.Get<SiftOptions>().contrast = -1;
  EXPECT_THAT(MessageOf([&] { Check(options); }), HasSubstr("sift.contrast must be"));
  options.descriptor.Choose<ColorOptions>();  // which has no contrast
  EXPECT_EQ(MessageOf([&] { Check(options); }), "");
  options.image.max_pixels = -1;
  EXPECT_THAT(MessageOf([&] { Check(options); }), HasSubstr("image.max_pixels must be >= 0"));
}

}  // namespace
}  // namespace alcedo
