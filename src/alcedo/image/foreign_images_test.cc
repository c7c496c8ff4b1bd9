#include "alcedo/image/foreign_images.h"

#include <gtest/gtest.h>

namespace alcedo {
namespace {

TEST(ForeignImages, AreCountedByTheirEndings) {
  ForeignImages images;
  for (const char* other : {"a.jpg", "b.PNG", "notes.txt", "bmp", ".bmp", "archive.zip"}) {
    EXPECT_FALSE(images.Add(other)) << other;
  }
  EXPECT_TRUE(images.empty());
  for (const char* file : {"x/a.tiff", "b.BMP", "c.bmp", "d.heic"}) {
    EXPECT_TRUE(images.Add(file)) << file;
  }
  EXPECT_EQ(images.Text(), "2 .bmp, 1 .heic and 1 .tiff");
  EXPECT_EQ(images.Note(),
            "2 .bmp, 1 .heic and 1 .tiff are left out: images that can be read are JPEG, PNG, "
            "WebP, GIF and PNM");
}

}  // namespace
}  // namespace alcedo
