#include "alcedo/dataset/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/dataset/readers.h"
#include "alcedo/image/read_image.h"
#include "alcedo/io/array_reader.h"

namespace alcedo {
namespace internal {
namespace {

namespace fs = std::filesystem;

// FNV-1a: the same on every platform, unlike std::hash.
std::uint64_t Hash(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Whether one of these folders in `folder` has images.
bool HoldsClasses(const fs::path& folder, const std::vector<std::string>& names, bool arrays) {
  std::string ignored;
  return std::ranges::any_of(names, [&](const std::string& name) {
    return !ListInside(folder / name, arrays, ignored).images.empty();
  });
}

// The folders that are splits, empty if there are no train/ and test/ with classes inside. A
// class may be called "train": its images are in it, not further inside.
std::map<std::string, Split> SplitFolders(const fs::path& root, bool arrays) {
  static const std::map<std::string, Split> kNames = {{"train", Split::kTrain},
                                                      {"val", Split::kValidation},
                                                      {"validation", Split::kValidation},
                                                      {"test", Split::kTest}};
  const std::vector<std::string> folders = ListEntries(root).folders;
  std::map<std::string, Split> splits;
  for (const std::string& name : folders) {
    const auto known = kNames.find(name);
    if (known == kNames.end()) continue;
    std::string ignored;
    const std::vector<std::string> inside = ListInside(root / name, arrays, ignored).folders;
    if (HoldsClasses(root / name, inside, arrays)) splits.insert(*known);
  }
  if (!splits.contains("train") || !splits.contains("test")) splits.clear();
  return splits;
}

class FolderReader {
 public:
  FolderReader(const fs::path& root, const FolderSplitOptions& options)
      : dataset_(BeginDataset(DatasetKind::kFolder, "", root)), options_(options) {
    const fs::path absolute = fs::absolute(root).lexically_normal();
    const fs::path name = absolute.has_filename() ? absolute : absolute.parent_path();
    dataset_.title = fmt::format("folder {}", name.filename().string());
  }

  Dataset Read() {
    const std::map<std::string, Split> splits = SplitFolders(dataset_.root, options_.arrays);
    dataset_.split_by_chance = splits.empty();
    if (splits.empty()) {
      ReadClasses("", [&](const std::string& folder, const std::vector<std::string>& images) {
        AddByChance(folder, images);
      });
    }
    for (const auto& [name, split] : splits) {
      ReadClasses(name + "/", [&, s = split](const std::string& folder, const auto& images) {
        for (const std::string& file : images) Add(folder, file, s);
      });
    }
    if (dataset_.images.empty()) {
      const std::string root = dataset_.root.string();
      const std::string why = options_.arrays ? "" : WhyNoImages(dataset_.root);
      if (!why.empty()) throw FormatError(root, why);
      throw FormatError(
          root, fmt::format("has no folders with {} in them; expected is one folder per class, or "
                            "train/ and test/ with such inside",
                            options_.arrays ? "array files (.npy, .npz, .safetensors)" : "images"));
    }
    Label();
    if (loose_ > 0) Note("{} beside the class folders and left out", loose_);
    if (deep_ > 0) {
      dataset_.notes.push_back(
          fmt::format("{} folders inside class folders are not looked into", deep_));
    }
    if (!foreign_.empty()) dataset_.notes.push_back(foreign_.Note());
    if (left_out_ > 0) Note("{} neither trained nor tested on", left_out_);
    FinishDataset(dataset_, options_.all);
    return std::move(dataset_);
  }

 private:
  template <class Use>
  void ReadClasses(const std::string& prefix, const Use& use) {
    const FolderEntries top = ListEntries(dataset_.root / prefix, options_.arrays);
    loose_ += top.images.size();
    for (const std::string& file : top.foreign) foreign_.Add(file);
    for (const std::string& name : top.folders) {
      std::string why;
      const FolderEntries inside = ListInside(dataset_.root / prefix / name, options_.arrays, why);
      if (!why.empty()) {
        dataset_.failures.push_back({prefix + name + "/", why});
        continue;
      }
      deep_ += inside.folders.size();
      for (const std::string& file : inside.foreign) foreign_.Add(file);
      classes_.insert(name);
      use(prefix + name, inside.images);
    }
  }

  void AddByChance(const std::string& folder, const std::vector<std::string>& images) {
    std::vector<std::string> names;
    for (const std::string& file : images) names.push_back(folder + "/" + file);
    const SplitCounts counts =
        options_.all ? SplitCounts{0, names.size()} : CountSplit(names.size(), options_);
    names = ShuffleNames(std::move(names), options_.seed);
    std::map<std::string, Split> chosen;  // back in the order of names
    for (std::size_t i = 0; i < counts.test + counts.train; ++i) {
      chosen[names[i].substr(folder.size() + 1)] = i < counts.test ? Split::kTest : Split::kTrain;
    }
    for (const auto& [file, split] : chosen) Add(folder, file, split);
    left_out_ += names.size() - chosen.size();
    if (!options_.all && options_.train_per_class > 0 && !names.empty() &&
        counts.train < static_cast<std::size_t>(options_.train_per_class)) {
      dataset_.notes.push_back(fmt::format("class '{}' has {} images to train on, fewer than {}",
                                           folder, counts.train, options_.train_per_class));
    }
  }

  void Add(const std::string& folder, const std::string& file, Split split) {
    DatasetImage& image = dataset_.images.emplace_back();
    image.name = folder + "/" + file;
    image.path = dataset_.root / image.name;
    image.split = split;
  }

  void Label() {
    dataset_.classes.assign(classes_.begin(), classes_.end());
    std::map<std::string, int> places;
    for (const std::string& name : dataset_.classes) {
      places.emplace(name, static_cast<int>(places.size()));
    }
    for (DatasetImage& image : dataset_.images) {
      image.label = places.at(fs::path(image.name).parent_path().filename().string());
    }
  }

  void Note(fmt::format_string<const std::string&> text, std::size_t count) {
    const std::string images =
        count == 1 ? fmt::format("1 {} is", options_.arrays ? "array file" : "image")
                   : fmt::format("{} {} are", count, options_.arrays ? "array files" : "images");
    dataset_.notes.push_back(fmt::format(text, images));
  }

  Dataset dataset_;
  FolderSplitOptions options_;
  std::set<std::string> classes_;
  ForeignImages foreign_;
  std::size_t loose_ = 0, deep_ = 0, left_out_ = 0;
};

}  // namespace

FolderEntries ListEntries(const fs::path& folder, bool arrays) {
  FolderEntries entries;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(".")) continue;
    std::error_code unknown;
    const fs::file_type type = entry->status(unknown).type();
    std::error_code ignored;
    if (unknown == std::errc::permission_denied && !entry->is_symlink(ignored)) {
      error = unknown;  // names are all that may be read of this folder
      break;
    }
    if (type == fs::file_type::directory) {
      entries.folders.push_back(name);
    } else if (arrays ? HasArrayExtension(name) : IsImageName(name)) {
      if (type != fs::file_type::regular) {
        throw FormatError(entry->path().string(), "is not a file, or a link that leads nowhere");
      }
      entries.images.push_back(name);
    } else if (ForeignImages().Add(name)) {
      entries.foreign.push_back(name);
    }
  }
  if (error) {
    throw IoError(folder.string(), fmt::format("cannot be listed: {}", error.message()));
  }
  std::ranges::sort(entries.folders);
  std::ranges::sort(entries.images);
  return entries;
}

FolderEntries ListInside(const fs::path& folder, bool arrays, std::string& why) {
  try {
    return ListEntries(folder, arrays);
  } catch (const IoError& error) {
    why = error.reason();
    return {};
  }
}

std::string WhyNoImages(const fs::path& root) {
  ForeignImages foreign;
  std::string deep;
  // Classes may lie in train/ and test/.
  const auto look = [&](const auto& self, const std::string& inside, int depth) -> void {
    std::string ignored;
    const FolderEntries entries = ListInside(root / inside, false, ignored);
    for (const std::string& file : entries.foreign) foreign.Add(file);
    if (depth == 2 && !entries.images.empty() && deep.empty()) deep = inside;
    if (depth == 2) return;
    for (const std::string& name : entries.folders) {
      self(self, inside.empty() ? name : inside + "/" + name, depth + 1);
    }
  };
  look(look, "", 0);
  if (!deep.empty()) {
    return fmt::format(
        "images must lie directly in a folder for each class (or in such folders in train/ and "
        "test/), but here it is '{}' that holds images",
        deep);
  }
  if (foreign.empty()) return "";
  return fmt::format("has no images that can be read in its folders, but {}; expected are {}",
                     foreign.Text(), kImageFormats);
}

std::vector<std::string> ShuffleNames(std::vector<std::string> names, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::string>> keyed;
  keyed.reserve(names.size());
  for (std::string& name : names) {
    const std::uint64_t key = Rng::ForItem(seed, Hash(name)).Next();
    keyed.emplace_back(key, std::move(name));
  }
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::move(keyed[i].second);
  return names;
}

SplitCounts CountSplit(std::size_t images, const FolderSplitOptions& options) {
  if (images <= 1) return {0, images};
  const auto wanted =
      static_cast<std::size_t>(std::llround(options.test_fraction * static_cast<double>(images)));
  const std::size_t test = std::clamp<std::size_t>(wanted, 1, images - 1);
  const std::size_t rest = images - test;
  const auto per_class = static_cast<std::size_t>(options.train_per_class);
  return {test, per_class == 0 ? rest : std::min(rest, per_class)};
}

bool LooksLikeClassFolders(const fs::path& root) {
  return HoldsClasses(root, ListEntries(root).folders, false) || !SplitFolders(root, false).empty();
}

Dataset ReadFolder(const fs::path& root, const FolderSplitOptions& split) {
  Check(split);
  return FolderReader(root, split).Read();
}

}  // namespace internal

void Check(const FolderSplitOptions& options) {
  Require(options.test_fraction > 0 && options.test_fraction < 1, "folder.test_fraction",
          "in (0, 1)", options.test_fraction);
  Require(options.train_per_class >= 0, "folder.train_per_class", ">= 0", options.train_per_class);
}

}  // namespace alcedo
