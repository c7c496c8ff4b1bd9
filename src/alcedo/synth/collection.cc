#include "alcedo/synth/collection.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <system_error>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::synth {
namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kMaxOptions = 1 << 20;  // bytes of synth.json

// The options as they are stored with the images.
std::string OptionsText(const SynthOptions& options) {
  std::string text = "{\"painter\": 1";
  SynthOptions copy = options;
  VisitFields(copy, [&text](std::string_view name, const auto& value, std::string_view) {
    text += fmt::format(", \"{}\": {}", name, value);
  });
  return text + "}\n";
}

// Takes the folder for these options, or finds that it was.
void ClaimFolder(const fs::path& folder, const std::string& options,
                 const std::function<void(const fs::path&, const std::string&)>& write) {
  MakeFolders(folder);
  const fs::path stored = folder / "synth.json";
  std::error_code error;
  if (fs::exists(stored, error)) {
    if (ReadFileBytes(stored, kMaxOptions) == options) return;
    throw FormatError(folder.string(),
                      "holds a collection that was painted with other options (its synth.json has "
                      "them); give another folder");
  }
  const bool empty = fs::is_empty(folder, error);
  if (error) {
    throw IoError(folder.string(), fmt::format("cannot be read: {}", error.message()));
  }
  if (!empty) {
    throw FormatError(folder.string(), "is not empty; give another folder");
  }
  write(stored, options);
}

std::string ImageName(const Collection& collection, int of_class, int image) {
  return fmt::format("{}/{:04}.png", collection.classes[static_cast<std::size_t>(of_class)],
                     image + 1);
}

std::string BoxFields(const Box& box) {
  return fmt::format("{},{},{},{}", box.x, box.y, box.width, box.height);
}

}  // namespace

void Check(const SynthOptions& o) {
  Require(o.classes >= 2 && o.classes <= kMaxMarks, "classes", "from 2 to 100", o.classes);
  Require(o.images >= 1 && o.images <= 10000, "images", "from 1 to 10000", o.images);
  Require(o.width >= 64 && o.width <= 4096, "width", "from 64 to 4096", o.width);
  Require(o.height >= 64 && o.height <= 4096, "height", "from 64 to 4096", o.height);
  Require(o.mark_size >= 0.5 && o.mark_size <= 2, "mark_size", "in [0.5, 2]", o.mark_size);
}

Collection MakeCollection(const SynthOptions& options) {
  Check(options);
  Collection collection;
  collection.options = options;
  collection.style = DrawStyle(options.seed);
  collection.marks = DrawMarks(options.seed, options.classes, options.mark_size);
  for (const Mark& mark : collection.marks) collection.classes.push_back(MarkName(mark));
  return collection;
}

Painting PaintImage(const Collection& collection, int of_class, int image) {
  const SynthOptions& o = collection.options;
  const auto item = static_cast<std::uint64_t>(of_class) << 32 | static_cast<std::uint64_t>(image);
  // The first items are those of the style and the marks.
  const std::uint64_t scene = Rng::ForItem(o.seed, item + (1ull << 60)).Next();
  return PaintScene(collection.style, collection.marks[static_cast<std::size_t>(of_class)], scene,
                    o.width, o.height);
}

SynthResult WriteCollection(const Collection& collection, const fs::path& folder, const Run& run) {
  const auto write = [&run](const fs::path& path, const std::string& bytes) {
    Write(run, [&] { WriteWholeFile(path, bytes); });
  };
  ClaimFolder(folder, OptionsText(collection.options), write);
  for (const std::string& name : collection.classes) MakeFolders(folder / name);
  const fs::path list = folder / "boxes.csv";
  const bool listed = fs::exists(list);
  const Index count = static_cast<Index>(collection.options.classes) * collection.options.images;
  std::vector<std::string> lines(static_cast<std::size_t>(count));
  std::atomic<Index> written = 0;
  std::mutex mutex;
  Progress progress{"painting", 0, count, 0, "images"};
  ParallelFor(count, run.threads, [&](Index i) {
    const int of_class = static_cast<int>(i / collection.options.images);
    const int image = static_cast<int>(i % collection.options.images);
    const std::string name = ImageName(collection, of_class, image);
    const bool there = fs::exists(folder / name);
    if (!there || !listed) {
      const Painting painting = PaintImage(collection, of_class, image);
      lines[static_cast<std::size_t>(i)] =
          fmt::format("{},{},{}\r\n", name, BoxFields(painting.bird), BoxFields(painting.mark));
      if (!there) {
        write(folder / name, PngBytes(painting.image));
        ++written;
      }
    }
    const std::lock_guard lock(mutex);
    ++progress.done;
    progress.resumed += there;
    Report(run, progress);
  });
  if (!listed) {
    std::string text = "image,x,y,width,height,mark_x,mark_y,mark_width,mark_height\r\n";
    for (const std::string& line : lines) text += line;
    write(list, text);
  }
  return {written, count - written};
}

}  // namespace alcedo::synth
