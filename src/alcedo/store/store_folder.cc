#include "alcedo/store/store_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void ThrowSystem(const fs::path& path, std::string_view what, int error) {
  throw IoError(path.string(), fmt::format("{}: {}", what, std::generic_category().message(error)));
}

// The number of a file of that ending, "shard-000012.npy".
std::optional<Index> ShardNumber(std::string_view name, std::string_view ending) {
  constexpr std::string_view kPrefix = "shard-";
  if (!name.starts_with(kPrefix) || !name.ends_with(ending)) return std::nullopt;
  Index number = 0;
  std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
  // Only the one spelling of a number.
  if (number < 0 || name != ShardName(number) + std::string(ending)) return std::nullopt;
  return number;
}

bool IsOurs(std::string_view name) {
  return name == kStoreFile || name == kIndexFile || name == kFailuresFile ||
         ShardNumber(name, ".npy") || ShardNumber(name, ".json");
}

// The file that a temporary one of AtomicFile becomes, if it is one of a store: index.csv of
// ".index.csv.tmp-123-0".
std::optional<std::string_view> TargetOfTemporary(std::string_view name) {
  const std::size_t suffix = name.rfind(".tmp-");
  if (!name.starts_with('.') || suffix == std::string_view::npos || suffix == 0 ||
      name.substr(suffix + 5).find_first_not_of("0123456789-") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view target = name.substr(1, suffix - 1);
  return IsOurs(target) ? std::optional(target) : std::nullopt;
}

Index ShardOf(std::string_view name) {
  const auto array = ShardNumber(name, ".npy");
  return array ? *array : ShardNumber(name, ".json").value_or(-1);
}

// Bytes of store.json that are locked, far beyond its end: one for each rank, and one for each
// number of ranks.
constexpr off_t kRankBytes = off_t{1} << 40;
constexpr off_t kRanksBytes = off_t{1} << 41;

// Locks of an open file description: unlike the older ones of a process, they also keep two writers
// of one process apart.
struct flock Range(short type, off_t begin, off_t size) {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = begin;
  range.l_len = size;  // 0: to the end of all files
  return range;
}

// False if another one holds it.
bool TryLock(int descriptor, short type, off_t begin, off_t size) {
  struct flock range = Range(type, begin, size);
  int status = 0;
  do {
    status = fcntl(descriptor, F_OFD_SETLK, &range);
  } while (status != 0 && errno == EINTR);
  return status == 0 || (errno != EAGAIN && errno != EACCES);
}

bool IsLocked(int descriptor, off_t begin, off_t size) {
  struct flock range = Range(F_WRLCK, begin, size);
  return fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

bool TryLockShare(int descriptor, const Share& share) {
  if (share.ranks == 1) return TryLock(descriptor, F_WRLCK, kRankBytes, 0);
  const off_t mine = kRanksBytes + share.ranks;
  // Others are looked for after locking: two writers of different numbers of ranks may both be
  // refused, but are never both accepted.
  return TryLock(descriptor, F_WRLCK, kRankBytes + share.rank, 1) &&
         TryLock(descriptor, F_RDLCK, mine, 1) &&
         !IsLocked(descriptor, kRanksBytes, mine - kRanksBytes) &&
         !IsLocked(descriptor, mine + 1, 0);
}

}  // namespace

std::string ShardName(Index shard) { return fmt::format("shard-{:06}", shard); }

FolderContents ListFolder(const fs::path& folder) {
  FolderContents contents;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name == kStoreFile) contents.has_store = true;
    if (const auto number = ShardNumber(name, ".json")) contents.shards.push_back(*number);
    if (const auto target = TargetOfTemporary(name)) {
      contents.leftovers.push_back({name, ShardOf(*target)});
    } else {
      contents.files.push_back(std::move(name));
    }
  }
  if (error) ThrowSystem(folder, "cannot be listed", error.value());
  std::ranges::sort(contents.shards);
  for (const std::string& name : contents.files) {
    const auto number = ShardNumber(name, ".npy");
    if (number && !std::ranges::binary_search(contents.shards, *number)) {
      contents.leftovers.push_back({name, *number});
    }
  }
  std::ranges::sort(contents.leftovers, {}, &FolderContents::Leftover::name);
  std::ranges::sort(contents.files);
  return contents;
}

void RemoveFile(const fs::path& file) {
  if (unlink(file.c_str()) != 0 && errno != ENOENT) {
    ThrowSystem(file, "cannot be removed", errno);
  }
}

Lock Lock::OfFolder(const fs::path& folder) {
  Lock lock(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.descriptor_ < 0) ThrowSystem(folder, "cannot be opened", errno);
  while (flock(lock.descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
  return lock;
}

Lock Lock::OfWriter(const fs::path& folder, const Share& share) {
  const fs::path file = folder / kStoreFile;
  Lock lock(open(file.c_str(), O_RDWR | O_CLOEXEC));
  if (lock.descriptor_ < 0) ThrowSystem(file, "cannot be opened for writing", errno);
  if (TryLockShare(lock.descriptor_, share)) return lock;
  throw InvalidArgument(fmt::format(
      "{} is being written by another run; wait until it ends, or choose another folder",
      folder.string()));
}

Lock::Lock(Lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Lock& Lock::operator=(Lock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Lock::~Lock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace alcedo::internal
