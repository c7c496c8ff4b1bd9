#include "alcedo/files/image_list.h"

#include <sys/stat.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "alcedo/base/error.h"
#include "alcedo/image/read_image.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/plain_text.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kArrayExtensions = {".npy", ".npz", ".safetensors"};

enum class Look { kImage, kArray, kOther, kClosedFolder };

Look LookOf(const fs::path& path) {
  if (HasImageExtension(path)) return Look::kImage;
  return HasArrayExtension(path) ? Look::kArray : Look::kOther;
}

struct Found {
  Input input;
  Look look = Look::kOther;
  bool in_folder = false;
};

class Finder {
 public:
  explicit Finder(const ImageSources& sources) {
    for (const std::string& output : sources.outputs) {
      if (output.empty()) continue;
      std::error_code ignored;
      const fs::path path = fs::weakly_canonical(output, ignored);
      outputs_.push_back(path.has_filename() ? path : path.parent_path());
    }
  }

  void Add(const std::string& input, bool must_exist) {
    // The system would take the part before it for the path, and everything built on it too.
    if (input.find('\0') != std::string::npos) throw IoError(input, "has a NUL byte in its path");
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (fs::is_directory(status)) return AddFolder(input, must_exist);
    if (must_exist && !fs::exists(status)) {
      throw IoError(input, "cannot be read: " + error.message());
    }
    found_.push_back({{input, input}, LookOf(input), false});
  }

  std::vector<Found> Take() { return std::move(found_); }
  const std::vector<std::string>& folders() const { return folders_; }
  const ForeignImages& foreign() const { return foreign_; }

 private:
  void AddFolder(const std::string& folder, bool must_open) {
    folders_.push_back(folder);
    const auto before = static_cast<std::ptrdiff_t>(found_.size());
    std::error_code error;
    if (must_open && (fs::directory_iterator(folder, error), error)) {
      throw IoError(folder, "cannot be listed: " + error.message());
    }
    Walk(folder, "");
    std::sort(found_.begin() + before, found_.end(),
              [](const Found& a, const Found& b) { return a.input.name < b.input.name; });
  }

  // A folder that is mounted inside of itself is not entered again: it has no end.
  void Walk(const fs::path& folder, const std::string& prefix) {
    struct stat status{};
    if (stat(folder.c_str(), &status) == 0) {
      const std::pair identity(status.st_dev, status.st_ino);
      if (std::ranges::count(entered_, identity) > 0) return;
      entered_.push_back(identity);
      WalkEntries(folder, prefix);
      entered_.pop_back();
    } else {
      WalkEntries(folder, prefix);
    }
  }

  void WalkEntries(const fs::path& folder, const std::string& prefix) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    if (error) {
      const std::string& name = prefix.empty() ? folder.string() : prefix;
      found_.push_back({{folder.string(), name}, Look::kClosedFolder, false});
      return;
    }
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string file = entry->path().filename().string();
      if (file.starts_with(".") || IsOutput(entry->path())) continue;
      std::error_code unreadable;
      const bool link = entry->is_symlink(unreadable);
      const fs::file_type type = entry->status(unreadable).type();
      // Of a path that is too long, or forbidden, the folder around it may still know the kind.
      const bool folder_inside = type == fs::file_type::directory ||
                                 (type == fs::file_type::none && entry->is_directory(unreadable));
      if (folder_inside) {
        if (!link) Walk(entry->path(), prefix + file + "/");
        continue;
      }
      // A link that leads nowhere was meant to be a file: reading it will say what is wrong. So it
      // will of one that nothing can be said about.
      const bool is_file = type == fs::file_type::regular || type == fs::file_type::none ||
                           (link && type == fs::file_type::not_found);
      const Look look = LookOf(entry->path());
      if (is_file && look == Look::kOther) foreign_.Add(entry->path());
      if (!is_file || look == Look::kOther) continue;
      found_.push_back({{entry->path().string(), prefix + file}, look, true});
    }
    if (error) {
      throw IoError(folder.string(), "cannot be listed: " + error.message());
    }
  }

  bool IsOutput(const fs::path& path) const {
    return std::ranges::any_of(outputs_, [&](const fs::path& output) {
      std::error_code ignored;
      return output.filename() == path.filename() && output == fs::weakly_canonical(path, ignored);
    });
  }

  std::vector<fs::path> outputs_;
  std::vector<std::pair<dev_t, ino_t>> entered_;  // the folder that is walked, and those around it
  std::vector<Found> found_;
  std::vector<std::string> folders_;
  ForeignImages foreign_;
};

std::vector<std::string> ReadList(const ImageSources& sources) {
  const std::string bytes =
      sources.lines ? *sources.lines : ReadFileBytes(sources.list, kMaxListBytes);
  const std::string_view text = sources.null ? bytes : PlainText(bytes, sources.list);
  std::vector<std::string> lines;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(sources.null ? '\0' : '\n', begin), text.size());
    std::string line(text.substr(begin, end - begin));
    ++number;
    if (line.find('\0') != std::string::npos) {
      throw FormatError(sources.list, fmt::format("line {} has a NUL byte", number),
                        Hint{"if NUL bytes separate its paths, add", "null", "true"});
    }
    if (!sources.null && line.ends_with('\r')) line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
    begin = end + 1;
  }
  if (lines.empty()) throw FormatError(sources.list, "names no file");
  return lines;
}

// Whether there are arrays and nothing else.
bool OnlyArrays(const std::vector<Found>& found) {
  const auto count = [&](Look look) { return std::ranges::count(found, look, &Found::look); };
  return count(Look::kArray) > 0 &&
         count(Look::kArray) + count(Look::kClosedFolder) == std::ssize(found);
}

// Makes names distinct, and images too. How many images were there already.
std::size_t TellApart(std::vector<Input>& images) {
  std::unordered_map<std::string_view, int> counts;
  for (const Input& image : images) ++counts[image.name];
  if (counts.size() == images.size()) return 0;
  std::vector<Input*> alike;
  for (Input& image : images) {
    if (counts[image.name] > 1) alike.push_back(&image);
  }
  for (Input* image : alike) image->name = image->path;
  std::unordered_set<std::string> seen;
  return std::erase_if(images, [&](const Input& image) { return !seen.insert(image.name).second; });
}

}  // namespace

ImageList ListImages(const ImageSources& sources, std::optional<bool> arrays) {
  Finder finder(sources);
  for (const std::string& input : sources.inputs) finder.Add(input, true);
  if (!sources.list.empty()) {
    for (const std::string& line : ReadList(sources)) finder.Add(line, false);
  }
  std::vector<Found> found = finder.Take();

  ImageList list;
  list.arrays = arrays ? *arrays : OnlyArrays(found);
  list.several = found.size() > 1 || !finder.folders().empty() || !sources.list.empty();
  const Look wanted = list.arrays ? Look::kArray : Look::kImage;
  std::erase_if(found, [&](const Found& f) { return f.in_folder && f.look != wanted; });
  if (!list.arrays) list.left_out = finder.foreign();
  if (found.empty()) {
    throw FormatError(
        fmt::format("{}", fmt::join(finder.folders(), ", ")),
        fmt::format("has no {} ({}){}", list.arrays ? "array file" : "image",
                    list.arrays ? fmt::format("{}", fmt::join(kArrayExtensions, ", "))
                                : fmt::format("{}", fmt::join(kImageExtensions, ", ")),
                    list.left_out.empty() ? "" : fmt::format(", but {}", list.left_out.Text())));
  }
  list.images.reserve(found.size());
  for (Found& f : found) list.images.push_back(std::move(f.input));
  list.repeated = TellApart(list.images);
  return list;
}

std::vector<std::string> ImageList::Notes() const {
  std::vector<std::string> notes;
  if (!left_out.empty()) notes.push_back(left_out.Note());
  if (repeated > 0) {
    notes.push_back(
        fmt::format("{} given more than once and counted once",
                    repeated == 1 ? "1 input was" : fmt::format("{} inputs were", repeated)));
  }
  return notes;
}

}  // namespace alcedo
