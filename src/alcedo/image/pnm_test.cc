#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"

namespace alcedo {
namespace {

using testing::MessageOf;
using namespace std::string_literals;

Image Read(const std::string& bytes) { return ReadImageBytes(bytes, "x", {.max_pixels = 0}); }

std::string Message(const std::string& bytes) {
  return MessageOf<FormatError>([&] { Read(bytes); });
}

void ExpectSamples(const std::string& bytes, int width, int height, int channels,
                   const std::vector<float>& samples) {
  const Image image = Read(bytes);
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
  EXPECT_EQ(image.channels, channels);
  EXPECT_EQ(image.samples, samples);
}

TEST(Pnm, PlainKinds) {
  ExpectSamples("P1\n# a bitmap\n3 2\n101 0\n10", 3, 2, 1, {0, 255, 0, 255, 0, 255});
  ExpectSamples("P1 3 2 1 0 1 0 1 0", 3, 2, 1, {0, 255, 0, 255, 0, 255});
  ExpectSamples("P2#c\r\n2#w\n2\t5\n0 5\n1# one\n 4\n", 2, 2, 1, {0, 255, 51, 204});
  ExpectSamples("P3 1 2 255 1 2 3 4 5 6", 1, 2, 3, {1, 4, 2, 5, 3, 6});
  ExpectSamples("P2 1 2 65535 257 65535 ", 1, 2, 1, {1, 255});
}

TEST(Pnm, BinaryKinds) {
  ExpectSamples("P4 10 2\n\xA0\x40\x5F\xBF"s, 10, 2, 1,
                {0,   255, 0,   255, 255, 255, 255, 255, 255, 0,  //
                 255, 0,   255, 0,   0,   0,   0,   0,   0,   255});
  ExpectSamples("P5\n2 2\n255\n\x00\x01\xFE\xFF"s, 2, 2, 1, {0, 1, 254, 255});
  ExpectSamples("P5 2 1 51 \x00\x33"s, 2, 1, 1, {0, 255});
  ExpectSamples("P5 2 1 65535 \x01\x01\xFF\xFF"s, 2, 1, 1, {1, 255});
  ExpectSamples("P6 1 1 255\n\x01\x02\x03 and what follows"s, 1, 1, 3, {1, 2, 3});
  ExpectSamples("P6 1 1 1020\n\x00\x04\x03\xFC\x00\x00"s, 1, 1, 3, {1, 255, 0});
  // Of the header only one space is no pixel, even where a pixel looks like a comment.
  ExpectSamples("P5 3 1 255 # \n"s, 3, 1, 1, {'#', ' ', '\n'});
}

TEST(Pnm, WrongFilesAreNamed) {
  const std::string what = "x: cannot be decoded as PNM: ";
  EXPECT_EQ(Message("P5 2 2 255 \1\2\3"), what + "it is truncated");
  EXPECT_EQ(Message("P2 2 2 255 1 2 3"), what + "it is truncated");
  EXPECT_EQ(Message("P2 2 2 255 1 2 3     "), what + "it is truncated");
  EXPECT_EQ(Message("P1 2 2 111"), what + "it is truncated");
  EXPECT_EQ(Message("P5 2"), what + "it is truncated");
  EXPECT_EQ(Message("P5 2 # no end"), what + "it is truncated");
  EXPECT_EQ(Message("P5 2 2 255"), what + "it is truncated");
  EXPECT_EQ(Message("P5 2 2 0 1234"), what + "its largest value must be 1 to 65535, not 0");
  EXPECT_EQ(Message("P5 2 2 65536 12341234"),
            what + "its largest value must be 1 to 65535, not 65536");
  EXPECT_EQ(Message("P5 2 2 255x1234"), what + "its header must end with a space or a new line");
  EXPECT_EQ(Message("P2 2 1 9 4 10"), what + "it has the value 10, but its largest is 9");
  EXPECT_EQ(Message("P5 2 1 9 \x04\x0A"), what + "it has the value 10, but its largest is 9");
  EXPECT_EQ(Message("P2 2 1 9 4 -1"), what + "it has something else where a number is needed");
  EXPECT_EQ(Message("P1 2 1 12"), what + "it has something else where a 0 or a 1 is needed");
  EXPECT_EQ(Message("P2 99999999999 1 9 4"), what + "it has a number that is too large");
  EXPECT_EQ(Message("P2 0 4 9 4"), "x: is 0 x 4 pixels, but at least one pixel is needed");
}

}  // namespace
}  // namespace alcedo
