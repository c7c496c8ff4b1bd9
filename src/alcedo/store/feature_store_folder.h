// The folder of a store: its files by name, the lock, and what killed runs leave behind.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/index.h"

namespace alcedo::internal {

inline constexpr std::string_view kStoreFile = "store.json";
inline constexpr std::string_view kIndexFile = "index.csv";
inline constexpr std::string_view kFailuresFile = "failures.csv";

// "shard-000012", without the ending.
std::string ShardName(Index shard);

// What a folder holds, sorted.
struct FolderContents {
  bool has_store = false;              // store.json
  Index shards = 0;                    // one more than the largest number of a shard's .json
  std::vector<std::string> leftovers;  // temporary files; arrays of shards from `shards` on
  std::vector<std::string> files;      // all but temporary files
};
FolderContents ListFolder(const std::filesystem::path& folder);

void RemoveFile(const std::filesystem::path& file);

// Held until the object or the process ends, by the folder itself: no lock file stays behind.
class FolderLock {
 public:
  FolderLock() = default;  // holds nothing
  // InvalidArgument where another process, or another lock of this one, holds it. Where the file
  // system knows no locks, nothing is held: the user has to take care.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  int descriptor_ = -1;
};

}  // namespace alcedo::internal
