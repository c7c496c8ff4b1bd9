#include "alcedo/image/foreign_pictures.h"

#include <gtest/gtest.h>

namespace alcedo {
namespace {

TEST(ForeignPictures, AreCountedByTheirEndings) {
  ForeignPictures pictures;
  for (const char* other : {"a.jpg", "b.PNG", "notes.txt", "bmp", ".bmp", "archive.zip"}) {
    EXPECT_FALSE(pictures.Add(other)) << other;
  }
  EXPECT_TRUE(pictures.empty());
  for (const char* file : {"x/a.tiff", "b.BMP", "c.bmp", "d.heic"}) {
    EXPECT_TRUE(pictures.Add(file)) << file;
  }
  EXPECT_EQ(pictures.Text(), "2 .bmp, 1 .heic and 1 .tiff");
  EXPECT_EQ(pictures.Note(),
            "2 .bmp, 1 .heic and 1 .tiff are left out: pictures that can be read are JPEG, PNG, "
            "WebP, GIF and PNM");
}

}  // namespace
}  // namespace alcedo
