#include "alcedo/synth/collection.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "alcedo/base/error.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/image/read_image.h"

namespace alcedo::synth {
namespace {
namespace fs = std::filesystem;

class CollectionTest : public testing::Test {
 protected:
  CollectionTest() {
    char name[] = "/tmp/alcedo-synth-XXXXXX";
    root_ = mkdtemp(name);
    options_.classes = 3;
    options_.images = 4;
    options_.width = 96;
    options_.height = 72;
  }
  ~CollectionTest() override { fs::remove_all(root_); }

  SynthResult Write(const std::string& name, int threads = 1) {
    alcedo::Run run;
    run.threads = threads;
    run.progress = [this](const Progress& progress) { progress_ = progress; };
    return WriteCollection(MakeCollection(options_), root_ / name, run);
  }

  // All files of a folder, by their relative names.
  std::map<std::string, std::string> Files(const std::string& name) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / name)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().lexically_relative(root_ / name)] = {std::istreambuf_iterator<char>(file),
                                                              {}};
    }
    return files;
  }

  fs::path root_;
  SynthOptions options_;
  Progress progress_;  // the last one
};

TEST_F(CollectionTest, IsTheSameForAnyNumberOfThreads) {
  EXPECT_EQ(Write("one", 1).written, 12);
  EXPECT_EQ(Write("two", 2).written, 12);
  EXPECT_EQ(progress_.done, 12);
  EXPECT_EQ(progress_.total, 12);
  EXPECT_EQ(progress_.resumed, 0);
  EXPECT_EQ(Write("two", 2).written, 0);
  EXPECT_EQ(progress_.resumed, 12);
  const auto files = Files("one");
  EXPECT_EQ(files.size(), 14u);
  EXPECT_EQ(files, Files("two"));
  options_.seed = 1;
  Write("other");
  const auto other = Files("other");
  for (const auto& [name, bytes] : other) {
    const auto same = files.find(name);
    if (same == files.end() || !name.ends_with(".png")) continue;
    EXPECT_NE(same->second, bytes) << name;
  }
}

TEST_F(CollectionTest, IsAFolderOfClassesWithItsBoxes) {
  Write("birds");
  const Dataset dataset = ReadDataset(root_ / "birds", DatasetKind::kFolder);
  EXPECT_EQ(dataset.classes.size(), 3u);
  EXPECT_EQ(dataset.images.size(), 12u);
  EXPECT_TRUE(dataset.notes.empty());
  std::istringstream lines(Files("birds").at("boxes.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "image,x,y,width,height,mark_x,mark_y,mark_width,mark_height\r");
  int count = 0;
  for (; std::getline(lines, line); ++count) {
    const std::size_t comma = line.find(',');
    const Image image = ReadImage(root_ / "birds" / line.substr(0, comma));
    EXPECT_EQ(image.width, 96);
    EXPECT_EQ(image.height, 72);
    int v[8] = {};
    ASSERT_EQ(std::sscanf(line.c_str() + comma, ",%d,%d,%d,%d,%d,%d,%d,%d", &v[0], &v[1], &v[2],
                          &v[3], &v[4], &v[5], &v[6], &v[7]),
              8);
    for (int i = 0; i < 8; i += 4) {
      EXPECT_TRUE(v[i] >= 0 && v[i + 1] >= 0 && v[i + 2] > 0 && v[i + 3] > 0) << line;
      EXPECT_TRUE(v[i] + v[i + 2] <= 96 && v[i + 1] + v[i + 3] <= 72) << line;
    }
  }
  EXPECT_EQ(count, 12);
}

TEST_F(CollectionTest, GoesOnWhereItStopped) {
  Write("birds");
  const auto files = Files("birds");
  EXPECT_EQ(Write("birds").kept, 12);
  fs::remove(root_ / "birds" / std::next(files.begin())->first);  // not boxes.csv, the first
  EXPECT_EQ(Write("birds", 2).written, 1);
  EXPECT_EQ(Files("birds"), files);
  fs::remove(root_ / "birds/boxes.csv");
  EXPECT_EQ(Write("birds", 2).written, 0);
  EXPECT_EQ(Files("birds"), files);
}

TEST_F(CollectionTest, LeavesOtherFoldersAlone) {
  Write("birds");
  options_.images = 5;
  EXPECT_THROW(Write("birds"), FormatError);
  fs::create_directories(root_ / "mine");
  std::ofstream(root_ / "mine/letter.txt") << "dear";
  EXPECT_THROW(Write("mine"), FormatError);
  EXPECT_EQ(Files("mine").size(), 1u);
  std::ofstream(root_ / "file") << "x";
  EXPECT_THROW(Write("file"), IoError);
}

// More classes and images leave those that there are as they are.
TEST_F(CollectionTest, GrowsAtItsEnd) {
  const Collection small = MakeCollection(options_);
  options_.classes = 5;
  options_.images = 9;
  const Collection large = MakeCollection(options_);
  EXPECT_EQ(PaintImage(small, 2, 3).image.samples, PaintImage(large, 2, 3).image.samples);
}

TEST_F(CollectionTest, RefusesOptionsOutOfRange) {
  const auto refused = [](auto change) {
    SynthOptions options;
    change(options);
    EXPECT_THROW(MakeCollection(options), InvalidArgument);
  };
  refused([](SynthOptions& o) { o.classes = 1; });
  refused([](SynthOptions& o) { o.classes = 101; });
  refused([](SynthOptions& o) { o.images = 0; });
  refused([](SynthOptions& o) { o.width = 63; });
  refused([](SynthOptions& o) { o.height = 5000; });
  refused([](SynthOptions& o) { o.mark_size = 0.4; });
}

}  // namespace
}  // namespace alcedo::synth
