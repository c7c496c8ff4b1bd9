#include "alcedo/info/file_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "alcedo/base/error.h"
#include "alcedo/config/sealed_json.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/learn/vocabulary.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::info {
namespace {

using io_testing::ReadFile;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;
using testing::HasSubstr;

std::map<std::string, FileState> StatesIn(const TemporaryFolder& folder) {
  std::map<std::string, FileState> states;
  for (const FileCheck& check : CheckFiles(folder.path(), 2)) {
    states[std::filesystem::relative(check.file, folder.path()).string()] = check.state;
  }
  return states;
}

void FlipAByte(const std::filesystem::path& file) {
  std::string bytes = ReadFile(file);
  bytes[bytes.size() - 2] = static_cast<char>(bytes[bytes.size() - 2] ^ 4);
  WriteFile(file, bytes);
}

class FileCheckTest : public testing::Test {
 protected:
  FileCheckTest() {
    const std::string values(6 * sizeof(float), '\0');
    WriteFile(folder / "a.npy", NpyBytes({"", {2, 3}, ElementType::kFloat32, values}));
    WriteFile(folder / "sift.safetensors", VocabularyBytes(OpenVocabulary("sift").vocabulary));
    WriteFile(folder / "sealed.json", SealedJsonText({{"rows", 3}}));
    WriteFile(folder / "plain.json", "{}");
    WriteFile(folder / "notes.txt", "mine");
    StoreHeader header;
    header.shape = {3};
    FeatureStore store = FeatureStore::OpenToAppend(folder / "store", header);
    store.Append({{StoreEntry{"a", "h", 1, 1, ""}, StoreEntry{"b", "h", 1, 1, ""}}}, values);
    store.Finish();
  }

  TemporaryFolder folder;
};

TEST_F(FileCheckTest, WhatHasAChecksumIsWhole) {
  EXPECT_EQ(StatesIn(folder),
            (std::map<std::string, FileState>{{"a.npy", FileState::kUnverified},
                                              {"notes.txt", FileState::kUnverified},
                                              {"plain.json", FileState::kUnverified},
                                              {"sealed.json", FileState::kWhole},
                                              {"sift.safetensors", FileState::kWhole},
                                              {"store", FileState::kWhole}}));
}

TEST_F(FileCheckTest, OneByteIsNoticed) {
  FlipAByte(folder / "sift.safetensors");
  FlipAByte(folder / "store/shard-000000.npy");
  WriteFile(folder / "sealed.json", [&] {
    std::string text = ReadFile(folder / "sealed.json");
    text[text.find('3')] = '4';
    return text;
  }());
  const auto states = StatesIn(folder);
  EXPECT_EQ(states.at("sift.safetensors"), FileState::kDamaged);
  EXPECT_EQ(states.at("sealed.json"), FileState::kDamaged);
  EXPECT_EQ(states.at("store/shard-000000.npy"), FileState::kDamaged);
  EXPECT_EQ(states.count("store"), 0u);
  const std::vector<FileCheck> checks = CheckFiles(folder.path(), 1);
  EXPECT_THAT(FileChecksText(checks), HasSubstr("0 whole, 3 damaged, 3 without a checksum\n"));
  const auto json = nlohmann::json::parse(FileChecksJson(checks));
  EXPECT_EQ(json["files"].size(), 6u);
  EXPECT_EQ(json["files"][3]["state"], "damaged");
}

TEST_F(FileCheckTest, WhatIsNotThereIsAnError) {
  EXPECT_THROW(CheckFiles(folder / "none", 1), IoError);
}

}  // namespace
}  // namespace alcedo::info
