#include "alcedo/info/file_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <string_view>
#include <system_error>

#include "alcedo/base/error.h"
#include "alcedo/base/utf8.h"
#include "alcedo/config/sealed_json.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/image/read_image.h"
#include "alcedo/info/file_info.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/learn/learn.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::info {
namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kAnySize = std::numeric_limits<std::int64_t>::max();
constexpr std::array<std::string_view, 3> kStateNames = {"whole", "unverified", "damaged"};

std::string_view StateName(FileState state) { return kStateNames[static_cast<std::size_t>(state)]; }

using Checks = std::vector<FileCheck>;

void CheckStoreFolder(const fs::path& folder, int threads, Checks& checks) {
  const StoreCheck found = CheckStore(folder, threads);
  for (const Failure& file : found.damaged) {
    checks.push_back({file.name, FileState::kDamaged, file.reason});
  }
  if (found.damaged.empty() || found.whole > 0) {
    checks.push_back(
        {folder.string(), FileState::kWhole,
         fmt::format("feature store, {} {}", found.whole, found.whole == 1 ? "shard" : "shards")});
  }
}

FileCheck CheckJson(const std::string& file) {
  const std::string text = ReadFileBytes(file, kAnySize);
  const Json json = ParseJsonIfItIs(text);
  if (json.is_discarded()) return {file, FileState::kDamaged, "is not JSON"};
  if (!json.is_object() || !json.contains("checksum")) {
    return {file, FileState::kUnverified, "JSON without a checksum"};
  }
  ParseSealedJson(text, file);
  return {file, FileState::kWhole, "JSON with a checksum"};
}

void ReadAll(const ArrayReader& reader) {
  for (std::size_t i = 0; i < reader.arrays().size(); ++i) {
    const ElementType type = reader.arrays()[i].type;
    if (type == ElementType::kUnsupported) continue;
    if (type >= ElementType::kFloat16) {
      reader.ReadDoubles(i);
    } else {
      reader.ReadIntegers(i);
    }
  }
}

FileCheck CheckArrayFile(const std::string& file) {
  std::string bytes = ReadFileBytes(file, kAnySize);
  std::string checksum, format;
  {
    const ArrayReader reader = ArrayReader::FromView(bytes, file);
    const auto& metadata = reader.metadata();
    if (const auto found = metadata.find("format"); found != metadata.end()) format = found->second;
    if (const auto found = metadata.find("checksum"); found != metadata.end()) {
      checksum = found->second;
    }
    // A .npz has a checksum of each of its arrays, which is checked when it is read.
    if (bytes.starts_with("PK")) {
      ReadAll(reader);
      return {file, FileState::kWhole, "arrays with checksums"};
    }
  }
  // The state of a learning run has a checksum of another kind, which is checked when it is used.
  if (!checksum.empty() && !format.starts_with("alcedo-learn-state")) {
    internal::CheckSeal(bytes, checksum, file);
    return {file, FileState::kWhole, format.empty() ? "arrays with a checksum" : format};
  }
  return {file, FileState::kUnverified, "arrays without a checksum"};
}

FileCheck CheckOneFile(const std::string& file) {
  try {
    if (file.ends_with(".json")) return CheckJson(file);
    std::string first(64, '\0');
    first.resize(internal::FileDescriptor(file).Read(first));
    if (LooksLikeImage(first)) {
      DescribeImageFile(file);
      return {file, FileState::kUnverified, "an image that can be decoded"};
    }
    if (LooksLikeArrays(first)) return CheckArrayFile(file);
    if (HasArrayExtension(file) || HasImageExtension(file)) {
      return {file, FileState::kDamaged, "is not what its name says"};
    }
    return {file, FileState::kUnverified, "has no checksum"};
  } catch (const FileError& error) {
    return {file, FileState::kDamaged, error.reason()};
  }
}

void CheckFolder(const fs::path& folder, int threads, Checks& checks);

void CheckAny(const fs::path& path, int threads, Checks& checks) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    CheckFolder(path, threads, checks);
  } else {
    checks.push_back(CheckOneFile(path.string()));
  }
}

void CheckFolder(const fs::path& folder, int threads, Checks& checks) {
  std::error_code error;
  if (fs::exists(folder / "store.json", error)) {
    CheckStoreFolder(folder, threads, checks);
    return;
  }
  if (IsLearnFolder(folder)) {
    const std::vector<Failure> damaged = DamagedLearnFiles(folder);
    for (const Failure& file : damaged) {
      checks.push_back({file.name, FileState::kDamaged, file.reason});
    }
    if (damaged.empty()) {
      checks.push_back({folder.string(), FileState::kWhole, "samples of a learning run"});
    }
    return;
  }
  std::vector<fs::path> entries;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    // Hidden files are what killed runs leave behind.
    if (!entry->path().filename().string().starts_with('.')) entries.push_back(entry->path());
  }
  if (error) throw IoError(folder.string(), "cannot be listed: " + error.message());
  std::ranges::sort(entries);
  for (const fs::path& path : entries) CheckAny(path, threads, checks);
}

}  // namespace

std::vector<FileCheck> CheckFiles(const fs::path& path, int threads) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw IoError(path.string(), "cannot be read: " + std::generic_category().message(ENOENT));
  }
  Checks checks;
  CheckAny(path, threads, checks);
  return checks;
}

std::string FileChecksText(const std::vector<FileCheck>& checks) {
  std::string text;
  std::array<int, kStateNames.size()> counts{};
  for (const FileCheck& check : checks) {
    ++counts[static_cast<std::size_t>(check.state)];
    text += fmt::format("{:<12}{}\n", StateName(check.state),
                        OneLine(fmt::format("{}: {}", check.file, check.text)));
  }
  return text + fmt::format("{} whole, {} damaged, {} without a checksum\n", counts[0], counts[2],
                            counts[1]);
}

std::string FileChecksJson(const std::vector<FileCheck>& checks) {
  Json json{{"files", Json::array()}};
  for (const FileCheck& check : checks) {
    json["files"].push_back({{"file", internal::EscapeText(check.file)},
                             {"state", StateName(check.state)},
                             {"text", internal::EscapeText(check.text)}});
  }
  return Dump(json, 2) + "\n";
}

}  // namespace alcedo::info
