#include "readers.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/io_testing.h"

namespace alcedo::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "=== ";

// The end of the JSON object that begins at `begin`; npos if it has none.
std::size_t EndOfObject(const std::string& text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string::npos;
}

// Deep inside, so that a damaged name with a few ".." stays inside too.
class ScratchFolder {
 public:
  ScratchFolder() : path_(folder_ / "a/b/c/d/e/f") {
    fs::create_directories(path_);
    fs::current_path(path_);
  }
  const fs::path& path() const { return path_; }

 private:
  io_testing::TemporaryFolder folder_;
  fs::path path_;
};

}  // namespace

const std::vector<Reader>& Readers() {
  static const std::vector<Reader> readers = [] {
    std::vector<Reader> all;
    internal::AddArrayReaders(all);
    internal::AddImageReaders(all);
    internal::AddDatasetReaders(all);
    internal::AddTextReaders(all);
    internal::AddStoreReaders(all);
    internal::AddLearnedReaders(all);
    internal::AddAccumulatorReaders(all);
    return all;
  }();
  return readers;
}

const Reader* FindReader(std::string_view name) {
  const auto found = std::ranges::find(Readers(), name, &Reader::name);
  return found == Readers().end() ? nullptr : &*found;
}

const fs::path& Scratch() {
  static const ScratchFolder scratch;
  return scratch.path();
}

void PutFile(const std::string& name, const std::string& bytes) {
  static std::map<std::string, std::string> written;
  const auto [entry, added] = written.try_emplace(name);
  if (!added && entry->second == bytes) return;
  entry->second = bytes;
  const fs::path path = Scratch() / name;
  if (added) fs::create_directories(path.parent_path());
  io_testing::WriteFile(path, bytes);
}

std::string Join(const Bundle& files) {
  std::string bytes;
  for (const auto& [name, text] : files) {
    bytes.append(kMark).append(name).append("\n").append(text).append("\n");
  }
  return bytes;
}

Bundle Split(const std::string& bytes, const Bundle& known) {
  Bundle files = known;
  std::size_t at = bytes.starts_with(kMark) ? 0 : bytes.find("\n" + std::string(kMark));
  while (at != std::string::npos && at < bytes.size()) {
    const std::size_t name = bytes.find(kMark, at) + kMark.size();
    const std::size_t line_end = bytes.find('\n', name);
    if (line_end == std::string::npos) break;
    const std::size_t next = bytes.find("\n" + std::string(kMark), line_end);
    const auto file = files.find(bytes.substr(name, line_end - name));
    if (file != files.end()) {
      std::string text = bytes.substr(line_end + 1, next - std::min(next, line_end + 1));
      // The last one ends in the line break that Join() added.
      if (next == std::string::npos && text.ends_with('\n')) text.pop_back();
      file->second = std::move(text);
    }
    at = next;
  }
  return files;
}

std::string Sealed(std::string bytes) {
  constexpr std::size_t kPrefix = 8;
  if (bytes.size() <= kPrefix) return bytes;
  std::size_t end = EndOfObject(bytes, kPrefix);
  if (end == std::string::npos) return bytes;
  while (end < bytes.size() && bytes[end] == ' ') ++end;
  bytes.replace(0, kPrefix, io_testing::Little(end - kPrefix, kPrefix));
  const std::string key = "\"checksum\":\"";
  const std::size_t digits = bytes.find(key) + key.size();
  const std::size_t size = alcedo::internal::kNoChecksum.size();
  if (digits < key.size() || digits + size >= bytes.size() || bytes[digits + size] != '"') {
    return bytes;
  }
  bytes.replace(digits, size, alcedo::internal::kNoChecksum);
  return alcedo::internal::Seal(std::move(bytes));
}

}  // namespace alcedo::fuzz
