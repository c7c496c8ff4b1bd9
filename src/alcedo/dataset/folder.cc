#include "alcedo/dataset/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/dataset/folder_split.h"
#include "alcedo/dataset/readers.h"
#include "alcedo/image/foreign_pictures.h"
#include "alcedo/io/array_reader.h"

namespace alcedo::internal {
namespace {

namespace fs = std::filesystem;

bool HoldsClasses(const fs::path& folder, bool arrays) {
  for (const std::string& name : ListEntries(folder).folders) {
    if (!ListEntries(folder / name, arrays).pictures.empty()) return true;
  }
  return false;
}

// The folders that are splits, empty where there are no train/ and test/ with classes inside. A
// class may be called "train": its pictures are in it, not further inside.
std::map<std::string, Split> SplitFolders(const fs::path& root, bool arrays) {
  static const std::map<std::string, Split> kNames = {{"train", Split::kTrain},
                                                      {"val", Split::kValidation},
                                                      {"validation", Split::kValidation},
                                                      {"test", Split::kTest}};
  const std::vector<std::string> folders = ListEntries(root).folders;
  std::map<std::string, Split> splits;
  for (const std::string& name : folders) {
    const auto known = kNames.find(name);
    if (known != kNames.end() && HoldsClasses(root / name, arrays)) splits.insert(*known);
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
    if (splits.empty()) {
      ReadClasses("", [&](const std::string& folder, const std::vector<std::string>& pictures) {
        AddByChance(folder, pictures);
      });
    }
    for (const auto& [name, split] : splits) {
      ReadClasses(name + "/", [&, s = split](const std::string& folder, const auto& pictures) {
        for (const std::string& picture : pictures) Add(folder, picture, s);
      });
    }
    if (dataset_.images.empty()) {
      const std::string why = options_.arrays ? "" : WhyNoPictures(dataset_.root);
      if (!why.empty()) throw FormatError(why);
      throw FormatError(
          fmt::format("'{}' has no folders with {} in them; expected is one "
                      "folder per class, or train/ and test/ with such inside",
                      dataset_.root.string(),
                      options_.arrays ? "array files (.npy, .npz, .safetensors)" : "pictures"));
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
    loose_ += top.pictures.size();
    for (const std::string& file : top.foreign) foreign_.Add(file);
    for (const std::string& name : top.folders) {
      const FolderEntries inside = ListEntries(dataset_.root / prefix / name, options_.arrays);
      deep_ += inside.folders.size();
      for (const std::string& file : inside.foreign) foreign_.Add(file);
      classes_.insert(name);
      use(prefix + name, inside.pictures);
    }
  }

  void AddByChance(const std::string& folder, const std::vector<std::string>& pictures) {
    std::vector<std::string> names;
    for (const std::string& picture : pictures) names.push_back(folder + "/" + picture);
    const SplitCounts counts =
        options_.all ? SplitCounts{0, names.size()} : CountSplit(names.size(), options_);
    names = ShuffleNames(std::move(names), options_.seed);
    std::map<std::string, Split> chosen;  // back in the order of names
    for (std::size_t i = 0; i < counts.test + counts.train; ++i) {
      chosen[names[i].substr(folder.size() + 1)] = i < counts.test ? Split::kTest : Split::kTrain;
    }
    for (const auto& [picture, split] : chosen) Add(folder, picture, split);
    left_out_ += names.size() - chosen.size();
    if (!options_.all && options_.train_per_class > 0 && !names.empty() &&
        counts.train < static_cast<std::size_t>(options_.train_per_class)) {
      dataset_.notes.push_back(fmt::format("class '{}' has {} images to train on, fewer than {}",
                                           folder, counts.train, options_.train_per_class));
    }
  }

  void Add(const std::string& folder, const std::string& picture, Split split) {
    DatasetImage& image = dataset_.images.emplace_back();
    image.name = folder + "/" + picture;
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
    const std::string pictures =
        count == 1 ? fmt::format("1 {} is", options_.arrays ? "array file" : "picture")
                   : fmt::format("{} {} are", count, options_.arrays ? "array files" : "pictures");
    dataset_.notes.push_back(fmt::format(text, pictures));
  }

  Dataset dataset_;
  FolderSplitOptions options_;
  std::set<std::string> classes_;
  ForeignPictures foreign_;
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
    std::error_code ignored;
    const fs::file_type type = entry->status(ignored).type();
    if (type == fs::file_type::directory) {
      entries.folders.push_back(name);
    } else if (arrays ? HasArrayExtension(name) : IsPictureName(name)) {
      if (type != fs::file_type::regular) {
        throw FormatError(
            fmt::format("{} is no file, or a link that leads nowhere", entry->path().string()));
      }
      entries.pictures.push_back(name);
    } else if (ForeignPictures().Add(name)) {
      entries.foreign.push_back(name);
    }
  }
  if (error) {
    throw IoError(fmt::format("cannot list folder '{}': {}", folder.string(), error.message()));
  }
  std::ranges::sort(entries.folders);
  std::ranges::sort(entries.pictures);
  return entries;
}

std::string WhyNoPictures(const fs::path& root) {
  ForeignPictures foreign;
  std::string deep;
  // Classes may lie in train/ and test/.
  const auto look = [&](const auto& self, const std::string& inside, int depth) -> void {
    const FolderEntries entries = ListEntries(root / inside);
    for (const std::string& file : entries.foreign) foreign.Add(file);
    if (depth == 2 && !entries.pictures.empty() && deep.empty()) deep = inside;
    if (depth == 2) return;
    for (const std::string& name : entries.folders) {
      self(self, inside.empty() ? name : inside + "/" + name, depth + 1);
    }
  };
  look(look, "", 0);
  if (!deep.empty()) {
    return fmt::format(
        "pictures must lie directly in a folder for each class (or in such folders in train/ and "
        "test/), but in '{}' it is '{}' that holds pictures",
        root.string(), deep);
  }
  if (foreign.empty()) return "";
  return fmt::format(
      "'{}' has no pictures that can be read in its folders, but {}; expected are {}",
      root.string(), foreign.Text(), kPictureFormats);
}

bool LooksLikeClassFolders(const fs::path& root) {
  return HoldsClasses(root, false) || !SplitFolders(root, false).empty();
}

Dataset ReadFolder(const fs::path& root, const FolderSplitOptions& split) {
  CheckSplitOptions(split);
  return FolderReader(root, split).Read();
}

}  // namespace alcedo::internal
