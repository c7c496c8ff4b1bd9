#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "alcedo/files/failure_list.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/files/image_list.h"
#include "alcedo/files/vector_file.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  Files() : folder_(fs::temp_directory_path() / ("alcedo_files_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  void Put(const std::string& name, const std::string& bytes = "") const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << bytes;
  }
  static std::vector<std::string> NamesOf(const ImageList& list) {
    std::vector<std::string> names;
    for (const Input& image : list.images) names.push_back(image.name);
    return names;
  }

  fs::path folder_;
};

TEST(FileNames, AreOneComponentWithoutControlCharacters) {
  EXPECT_EQ(SafeFileName("a/b\n.npy"), "a_b_.npy");
  EXPECT_EQ(SafeFileName(".hidden"), "_.hidden");
  EXPECT_EQ(SafeFileName(""), "_");
  EXPECT_EQ(OneLine("a\tb\x7f"), "a?b?");
}

TEST_F(Files, ImagesOfAFolderAreSortedAndNamedByTheirPathInIt) {
  for (const char* name : {"in/b.jpg", "in/a/c.PNG", "in/.hidden.jpg", "in/x.npy", "in/y.bmp"}) {
    Put(name);
  }
  const ImageList list = ListImages({{Path("in")}, "", {}, {}}, std::nullopt);
  EXPECT_THAT(NamesOf(list), ElementsAre("a/c.PNG", "b.jpg"));
  EXPECT_TRUE(list.several);
  EXPECT_FALSE(list.arrays);
  ASSERT_EQ(list.Notes().size(), 1u);
  EXPECT_THAT(list.Notes()[0], HasSubstr(".bmp"));
  EXPECT_THAT(NamesOf(ListImages({{Path("in")}, "", {}, {}}, true)), ElementsAre("x.npy"));
}

TEST_F(Files, LinesOfAListMayBeMissingAndRepeatedOnesCountOnce) {
  Put("a.jpg");
  const std::string a = Path("a.jpg"), none = Path("none.jpg");
  const ImageList list = ListImages({{a}, "-", a + "\r\n\n" + none + "\n", {}}, false);
  EXPECT_THAT(NamesOf(list), ElementsAre(a, none));
  EXPECT_EQ(list.repeated, 1u);
  EXPECT_THROW(ListImages({{none}, "", {}, {}}, false), IoError);
}

// The system ends a path at a NUL byte, so that such a folder would hold itself, without end.
TEST_F(Files, APathWithANulByteIsRefused) {
  using namespace std::string_literals;
  Put("in/a.jpg");
  EXPECT_THROW(ListImages({{Path("in") + "\0x"s}, "", {}, {}}, false), IoError);
  const std::string lines = Path("in/a.jpg") + "\n"s + Path("in") + "\0x\n"s;
  try {
    ListImages({{}, "list", lines, {}}, false);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_EQ(error.file(), "list");
    EXPECT_EQ(error.reason(), "line 2 has a NUL byte");
    EXPECT_EQ(error.hint().option, "null");
  }
}

TEST_F(Files, AnEmptyFolderIsRefusedByName) {
  Put("empty/notes.txt");
  try {
    ListImages({{Path("empty")}, "", {}, {}}, false);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_EQ(error.file(), Path("empty"));
    EXPECT_THAT(error.reason(), HasSubstr("has no image"));
  }
}

TEST_F(Files, AListOfFailuresIsRemovedWhenThereAreNone) {
  const std::vector<Failure> failures{{"a,b.jpg", "is empty"}};
  WriteFailures(Path("f.csv"), failures);
  EXPECT_EQ(ReadFileBytes(Path("f.csv"), 1000), "name,reason\r\n\"a,b.jpg\",is empty\r\n");
  WriteFailures(Path("f.csv"), {});
  EXPECT_FALSE(fs::exists(Path("f.csv")));
}

TEST_F(Files, NoFileOfABatchAppearsBeforeItsCommit) {
  FileBatch batch;
  batch.Add(Path("a"), "1");
  EXPECT_FALSE(fs::exists(Path("a")));
  EXPECT_THROW(batch.Add(Path("none/b"), "2"), IoError);
  EXPECT_THROW(CheckParent(Path("none/b")), IoError);
  batch.Commit();
  EXPECT_EQ(ReadFileBytes(Path("a"), 10), "1");
}

TEST_F(Files, VectorsOfARunAreOneArrayWithNamesBesideIt) {
  const std::string output = Path("v.npy");
  Spill spill(output);
  const std::vector<float> first{1, 2}, second{3, 4};
  for (const auto& row : {first, second}) {
    spill.Append({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)});
  }
  VectorsHeader header;
  header.config = "{\"encoder\":\"fv\"}";
  header.names = {"a.jpg", "b.jpg"};
  header.failures = {{"c.jpg", "is empty"}};
  header.several = true;
  header.shape = {2};
  WriteVectors(output, VectorForm::kNpy, header, spill);
  const ArrayReader reader = ArrayReader::Open(output);
  EXPECT_EQ(reader.ReadDoubles(0), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(reader.arrays()[0].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(ReadFileBytes(output + ".names.txt", 100), "a.jpg\nb.jpg\n");
  EXPECT_THAT(ReadFileBytes(output + ".json", 1000),
              testing::AllOf(HasSubstr("\"encoder\": \"fv\""), HasSubstr("c.jpg")));
}

}  // namespace
}  // namespace alcedo
