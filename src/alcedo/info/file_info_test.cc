#include "alcedo/info/file_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "alcedo/image/write_image.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::info {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class DescribeFileTest : public testing::Test {
 protected:
  ~DescribeFileTest() override { fs::remove(file_); }
  std::string Write(const std::string& bytes) const {
    WriteWholeFile(file_, bytes);
    return file_;
  }
  const std::string file_ = fs::temp_directory_path() / ("alcedo_info_" + std::to_string(getpid()));
};

TEST_F(DescribeFileTest, FilesAreToldByTheirBytes) {
  const FileInfo image = DescribeFile(Write(PnmBytes(MakeImage(30, 20, 1))));
  EXPECT_THAT(FileInfoText(image), HasSubstr("30 x 20, upright"));
  EXPECT_EQ(nlohmann::json::parse(image.json)["height"], 20);
  const std::string values(6 * sizeof(float), '\0');
  const FileInfo array = DescribeFile(Write(NpyBytes({"", {2, 3}, ElementType::kFloat32, values})));
  EXPECT_EQ(nlohmann::json::parse(array.json)["arrays"][0]["shape"], (std::vector<int>{2, 3}));
}

TEST_F(DescribeFileTest, ABundledVocabularyIsKnownByItsName) {
  const FileInfo info = DescribeFile("sift");
  EXPECT_THAT(FileInfoText(info), HasSubstr("for encoders"));
  EXPECT_EQ(nlohmann::json::parse(info.json)["descriptor"], "sift");
}

TEST_F(DescribeFileTest, WhatIsNothingOfThemIsRefused) {
  EXPECT_THROW(DescribeFile(Write("nothing")), FormatError);
  EXPECT_THROW(DescribeFile("/none/at/all"), IoError);
}

}  // namespace
}  // namespace alcedo::info
