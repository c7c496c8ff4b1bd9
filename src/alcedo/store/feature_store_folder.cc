#include "alcedo/store/feature_store_folder.h"

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
  throw IoError(
      fmt::format("{}: {}: {}", path.string(), what, std::generic_category().message(error)));
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

// What AtomicFile names its files until they are whole: ".index.csv.tmp-123-0".
bool IsTemporary(std::string_view name) {
  const std::size_t suffix = name.rfind(".tmp-");
  return name.starts_with('.') && suffix != std::string_view::npos && suffix > 0 &&
         name.substr(suffix + 5).find_first_not_of("0123456789-") == std::string_view::npos &&
         IsOurs(name.substr(1, suffix - 1));
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
    if (const auto number = ShardNumber(name, ".json")) {
      contents.shards = std::max(contents.shards, *number + 1);
    }
    (IsTemporary(name) ? contents.leftovers : contents.files).push_back(std::move(name));
  }
  if (error) ThrowSystem(folder, "cannot list", error.value());
  for (const std::string& name : contents.files) {
    const auto number = ShardNumber(name, ".npy");
    if (number && *number >= contents.shards) contents.leftovers.push_back(name);
  }
  std::sort(contents.leftovers.begin(), contents.leftovers.end());
  std::sort(contents.files.begin(), contents.files.end());
  return contents;
}

void RemoveFile(const fs::path& file) {
  if (unlink(file.c_str()) != 0 && errno != ENOENT) ThrowSystem(file, "cannot remove", errno);
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) ThrowSystem(folder, "cannot open", errno);
  int status = 0;
  do {
    status = flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  if (status == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw InvalidArgument(fmt::format(
      "{} is being written by another run; wait until it ends, or choose another folder",
      folder.string()));
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace alcedo::internal
