#include "alcedo/training/train_folder.h"

#include <fmt/format.h>

#include "alcedo/base/error.h"
#include "alcedo/config/field_json.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/training/train.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

constexpr const char* kClaim = "train.json";
constexpr std::int64_t kMaxClaim = 1 << 20;

// What a process that was killed leaves of files that it was writing.
bool IsLeftover(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') && name.find(".tmp-") != std::string::npos;
}

// Names, classes, and what tells without reading that a file was changed.
std::string HashOf(const Dataset& dataset, std::span<const Index> images) {
  std::string hash;
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(image.path, error);
    const auto time = fs::last_write_time(image.path, error).time_since_epoch().count();
    hash = ContentHash(fmt::format("{} {} {} {} {} {}", hash, image.name, image.label,
                                   Name(image.split), bytes, time));
    hash += std::string(image.targets.begin(), image.targets.end());
  }
  for (const std::string& name : dataset.classes) hash = ContentHash(hash + name + '\n');
  return ContentHash(hash);
}

}  // namespace

void ClaimTrainFolder(const Dataset& dataset, std::span<const Index> images,
                      const TrainOptions& options, const std::string& version, const Run& run) {
  TrainOptions copy = options;
  Json config;
  VisitFields(copy, FieldsToJson{config});
  const Json mine{
      {"version", version}, {"config", std::move(config)}, {"images", HashOf(dataset, images)}};
  const fs::path file = run.work / kClaim;
  MakeFolders(run.work);
  std::error_code error;
  if (fs::exists(file, error)) {
    if (ParseJsonIfItIs(ReadFileBytes(file, kMaxClaim)) != mine) {
      throw InvalidArgument(fmt::format(
          "{} holds the work of a run with other options or other images; remove it, or choose "
          "another folder",
          run.work.string()));
    }
    return;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(run.work, error)) {
    if (IsLeftover(entry.path())) continue;
    throw InvalidArgument(fmt::format(
        "{} is not empty, and is not the work folder of a training run", run.work.string()));
  }
  Write(run, [&] { WriteWholeFile(file, Dump(mine, 1) + "\n"); });
}

void RemoveTrainFolder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / kClaim, error)) return;
  // The claim last: a folder that was half removed can be gone on with.
  for (const Label& label : DescriptorChoice::kLabels) {
    const std::string channel(label.name);
    // Out of the way first: half a store would be refused.
    const fs::path removed = folder / (channel + ".removed");
    fs::remove_all(removed, error);
    fs::rename(folder / channel, removed, error);
    fs::remove_all(removed, error);
    RemoveWorkFolder(folder / (channel + ".work"));
    RemoveWorkFolder(folder / (channel + "-fewer.work"));
    fs::remove(folder / (channel + ".safetensors"), error);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (IsLeftover(entry.path())) fs::remove(entry.path(), error);
  }
  fs::remove(folder / kClaim, error);
  fs::remove(folder, error);  // unless something else is in it
}

}  // namespace alcedo
