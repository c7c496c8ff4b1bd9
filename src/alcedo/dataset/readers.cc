#include "alcedo/dataset/readers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/text.h"
#include "alcedo/dataset/list_file.h"
#include "alcedo/image/read_image.h"

namespace alcedo::internal {
namespace {

namespace fs = std::filesystem;

const Hint kUnpackAgain{"unpack the authors' archives again", "", ""};

void DropEmptyClasses(Dataset& dataset) {
  std::vector<int> images(dataset.classes.size(), 0);
  for (const DatasetImage& image : dataset.images) ++images[image.label];
  std::vector<std::string> kept, dropped;
  std::vector<int> place(images.size(), -1);
  for (std::size_t c = 0; c < images.size(); ++c) {
    if (images[c] > 0) place[c] = static_cast<int>(kept.size());
    (images[c] > 0 ? kept : dropped).push_back(std::move(dataset.classes[c]));
  }
  for (DatasetImage& image : dataset.images) image.label = place[image.label];
  dataset.classes = std::move(kept);
  if (dropped.empty()) return;
  dataset.notes.push_back(fmt::format(
      "{} of {} classes {} left out: {}", dropped.size(), images.size(),
      dropped.size() == 1 ? "has no image and is" : "have no image and are", FirstOf(dropped)));
}

void CheckClasses(Dataset& dataset) {
  std::vector<int> train(dataset.classes.size(), 0), test(dataset.classes.size(), 0);
  for (const DatasetImage& image : dataset.images) {
    ++(image.split == Split::kTest ? test : train)[image.label];
  }
  std::vector<std::string> untrained, untested;
  for (std::size_t c = 0; c < train.size(); ++c) {
    if (train[c] == 0) untrained.push_back(dataset.classes[c]);
    if (test[c] == 0) untested.push_back(dataset.classes[c]);
  }
  if (!untrained.empty()) {
    throw FormatError(dataset.root.string(),
                      fmt::format("{} of {} classes {} images to test on and none to train on: {}",
                                  untrained.size(), train.size(),
                                  untrained.size() == 1 ? "has" : "have", FirstOf(untrained)));
  }
  if (!untested.empty()) {
    dataset.notes.push_back(fmt::format("{} of {} classes {} no image to test on: {}",
                                        untested.size(), test.size(),
                                        untested.size() == 1 ? "has" : "have", FirstOf(untested)));
  }
}

}  // namespace

bool IsImageName(std::string_view file) {
  return !file.starts_with(".") && HasImageExtension(file);
}

Dataset BeginDataset(DatasetKind kind, std::string title, const fs::path& root) {
  Dataset dataset;
  dataset.kind = kind;
  dataset.title = std::move(title);
  dataset.root = root;
  return dataset;
}

void RequireParts(const Dataset& dataset, const std::vector<std::string>& parts) {
  std::vector<std::string> missing;
  for (const std::string& part : parts) {
    std::error_code ignored;
    const fs::file_status status = fs::status(dataset.root / part, ignored);
    const bool folder = part.ends_with('/');
    if (folder ? !fs::is_directory(status) : !fs::is_regular_file(status)) missing.push_back(part);
  }
  if (missing.empty()) return;
  throw FormatError(dataset.root.string(),
                    fmt::format("is not all of {}: {} {} missing (expected are {})", dataset.title,
                                fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are",
                                fmt::join(parts, ", ")),
                    kUnpackAgain);
}

DatasetImage& ImageAdder::Add(const std::string& name,
                              const std::function<void(std::string)>& fail) {
  const auto [place, added] = places_.try_emplace(name, dataset_.images.size());
  if (!added) fail(fmt::format("'{}' is named twice", name));
  DatasetImage& image = dataset_.images.emplace_back();
  image.name = name;
  image.path = dataset_.root / name;
  return image;
}

DatasetImage* ImageAdder::Find(const std::string& name) {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &dataset_.images[place->second];
}

void RequireImages(const Dataset& dataset, std::string_view list) {
  std::vector<std::string> missing;
  for (const DatasetImage& image : dataset.images) {
    std::error_code ignored;
    if (!fs::is_regular_file(image.path, ignored)) missing.push_back(image.name);
  }
  if (missing.empty()) return;
  throw FormatError(
      (dataset.root / list).string(),
      fmt::format("lists {} images, {} of them {} not there: {}", dataset.images.size(),
                  missing.size(), missing.size() == 1 ? "is" : "are", FirstOf(missing)),
      kUnpackAgain);
}

void NoteUnlisted(Dataset& dataset, const std::string& folder) {
  std::vector<std::string> listed, there, unlisted;
  for (const DatasetImage& image : dataset.images) listed.push_back(image.name);
  std::error_code error;
  fs::directory_iterator entry(dataset.root / folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (IsImageName(file)) there.push_back(folder + "/" + file);
  }
  std::ranges::sort(listed);
  std::ranges::sort(there);
  std::ranges::set_difference(there, listed, std::back_inserter(unlisted));
  if (unlisted.empty()) return;
  dataset.notes.push_back(fmt::format("{} {} in no list and left out: {}", unlisted.size(),
                                      unlisted.size() == 1 ? "image is" : "images are",
                                      FirstOf(unlisted)));
}

void FinishDataset(Dataset& dataset, bool all) {
  if (!dataset.multi_label) DropEmptyClasses(dataset);
  const auto count = [&](Split split) { return ImagesOf(dataset, split).size(); };
  const std::string root = dataset.root.string();
  if (dataset.images.empty()) throw FormatError(root, "has no image");
  if (!dataset.multi_label && dataset.classes.size() < 2) {
    throw FormatError(root, fmt::format("has one class only, '{}'; there must be two or more",
                                        dataset.classes[0]));
  }
  dataset.has_validation = count(Split::kValidation) > 0;
  if (all) return;
  if (count(Split::kTest) == dataset.images.size()) {
    throw FormatError(root, "has no image to train on");
  }
  if (count(Split::kTest) == 0) {
    throw FormatError(root, "has no image to test on",
                      Hint{"a class of one image has none to spare", "folder.all", "true"});
  }
  if (!dataset.multi_label) CheckClasses(dataset);
}

namespace {

class Annotation {
 public:
  explicit Annotation(const std::filesystem::path& path) : path_(path), text_(ReadTextFile(path)) {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    if (!result) Fail(result.offset, std::string("it is not XML: ") + result.description());
    if (!document_.child("annotation")) Fail(0, "there is no <annotation>");
  }

  std::vector<Box> Boxes() const {
    std::vector<Box> boxes;
    for (const pugi::xml_node object : document_.child("annotation").children("object")) {
      // The parts of a person have boxes of their own, further inside.
      const pugi::xml_node box = object.child("bndbox");
      if (!box) Fail(object.offset_debug(), "an <object> has no <bndbox>");
      const double left = Number(box, "xmin"), top = Number(box, "ymin");
      const double right = Number(box, "xmax"), bottom = Number(box, "ymax");
      if (right < left || bottom < top) {
        Fail(box.offset_debug(), "a <bndbox> must end right of and below its beginning");
      }
      boxes.push_back({left - 1, top - 1, right - left + 1, bottom - top + 1});
    }
    return boxes;
  }

 private:
  double Number(const pugi::xml_node& box, const char* name) const {
    double number = 0;
    if (!ParseNumber(box.child(name).text().get(), number)) {
      Fail(box.offset_debug(), fmt::format("<{}> must be a number", name));
    }
    return number;
  }

  [[noreturn]] void Fail(std::ptrdiff_t offset, const std::string& what) const {
    const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    const std::ptrdiff_t line = 1 + std::count(text_.begin(), end, '\n');
    throw FormatError(path_.string(), fmt::format("line {}: {}", line, what));
  }

  std::filesystem::path path_;
  std::string text_;
  pugi::xml_document document_;
};

}  // namespace

std::vector<Box> ReadBoxesIfThere(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  return Annotation(path).Boxes();
}

}  // namespace alcedo::internal
