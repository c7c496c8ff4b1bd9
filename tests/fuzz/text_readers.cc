// Configurations, lists of images and tables of boxes.
#include <array>

#include "alcedo/config/config.h"
#include "alcedo/files/image_list.h"
#include "alcedo/weights/regions.h"
#include "readers.h"

namespace alcedo::fuzz {
namespace {

bool ReadConfig(const std::string& file, const std::string& bytes) {
  PutFile(file, bytes);
  Json json;
  if (!Succeeds([&] { json = ReadConfigFile(file); })) return false;
  LearnConfig learn;
  EncodeConfig encode;
  // A file is for one of the two.
  const bool for_learn = Succeeds([&] {
    UpdateFromJson(learn, json, file);
    ToToml(learn);
  });
  const bool for_encode = Succeeds([&] {
    UpdateFromJson(encode, json, file);
    ToToml(encode);
  });
  return for_learn || for_encode;
}

std::vector<std::string> TomlSamples() {
  return {ToToml(LearnConfig{}), ToToml(EncodeConfig{}),
          "kind = 'gmm'\ngrid.step = 4\n[gmm]\ngaussians = 1_000\n\"max_iterations\" = 0x10\n",
          "lambda = [1, 1e3, 2.5]\npyramid = \"\"\"1,3x1\"\"\"  # a comment\nl2 = true\n"};
}

std::vector<std::string> JsonSamples() {
  return {ToJson(LearnConfig{}).dump(1), ToJson(EncodeConfig{}).dump(),
          R"({"lambda": [1, 1e3], "grid": {"step": 4}, "pooling": "gm\u0070"})"};
}

// A line that leads out of the scratch folder would list the whole disk: not what is tested here.
bool StaysInside(const std::string& text) {
  return !text.starts_with('/') && text.find("..") == std::string::npos &&
         text.find("\n/") == std::string::npos;
}

bool ReadList(const std::string& bytes) {
  for (const char* image : {"photos/a.png", "photos/deep/b.jpg", "photos/c.npy", "d.gif"}) {
    PutFile(image, "");
  }
  if (!StaysInside(bytes)) return false;
  return Succeeds([&] {
    const ImageList list =
        ListImages({.inputs = {}, .list = "-", .lines = bytes, .outputs = {}}, std::nullopt);
    if (list.images.empty()) throw BrokenPromise("a list without images was not refused");
  });
}

bool ReadBoxes(const std::string& bytes) {
  PutFile("boxes.csv", bytes);
  return Succeeds([] {
    const RegionList regions = RegionList::FromCsv("boxes.csv");
    for (const char* name : {"a.png", "birds/b c.png"}) {
      for (const Box& box : regions.BoxesOf(name)) {
        ExpectFinite(std::array{box.x, box.y, box.width, box.height}, "a box");
      }
      // A box outside of the image is refused here.
      Succeeds([&] {
        if (const auto region = regions.Of(name, 40, 30)) ExpectFinite(region->inside, "a region");
      });
    }
  });
}

}  // namespace

void internal::AddTextReaders(std::vector<Reader>& readers) {
  readers.push_back(
      {"toml", TomlSamples, [](const std::string& b) { return ReadConfig("c.toml", b); }, 512});
  readers.push_back(
      {"json", JsonSamples, [](const std::string& b) { return ReadConfig("c.json", b); }, 512});
  readers.push_back({"image-list",
                     [] {
                       return std::vector<std::string>{"photos\nd.gif\n",
                                                       "photos/a.png\r\nphotos/deep/b.jpg",
                                                       "missing.png\n\nphotos/deep\n"};
                     },
                     ReadList, 512});
  readers.push_back(
      {"boxes-csv",
       [] {
         return std::vector<std::string>{
             "image,x,y,width,height\r\na.png,1,2,3.5,4\r\n\"birds/b c.png\",0,0,9,9\r\n",
             "\xef\xbb\xbfheight,image,x,other,y,width\n4,a.png,1,\"q\"\"\",2,1e1\n"};
       },
       ReadBoxes, 128});
}

}  // namespace alcedo::fuzz
