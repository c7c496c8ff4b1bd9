// The folder of a store: its files by name, its locks, and what killed writers leave behind.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/store/feature_store.h"

namespace alcedo::internal {

inline constexpr std::string_view kStoreFile = "store.json";
inline constexpr std::string_view kIndexFile = "index.csv";
inline constexpr std::string_view kFailuresFile = "failures.csv";

// "shard-000012", without the ending.
std::string ShardName(Index shard);

// What a folder holds, sorted.
struct FolderContents {
  bool has_store = false;     // store.json
  std::vector<Index> shards;  // numbers of those that have a .json
  struct Leftover {
    std::string name;
    Index shard = 0;  // -1: of no shard
  };
  std::vector<Leftover> leftovers;  // temporary files; arrays of shards without a .json
  std::vector<std::string> files;   // all but temporary files
};
FolderContents ListFolder(const std::filesystem::path& folder);

void RemoveFile(const std::filesystem::path& file);

// Locks are held until the object or the process ends. No lock file stays behind. If the file
// system has no locks, nothing is held: the user has to take care.
class Lock {
 public:
  Lock() = default;  // holds nothing
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&& other) noexcept;
  ~Lock();

  // For short work on what all writers share: waits for others. On the folder itself.
  static Lock OfFolder(const std::filesystem::path& folder);
  // For the life of a writer: InvalidArgument if another one has the same share, or if there are
  // writers of another number of shares. On store.json.
  static Lock OfWriter(const std::filesystem::path& folder, const Share& share);

 private:
  explicit Lock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace alcedo::internal
