#include "alcedo/dataset/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

// Marks `count` of the places (all, if there are no more), evenly spaced, the first among them.
void KeepEvenly(const std::vector<std::size_t>& places, int count, std::vector<bool>& kept) {
  const std::size_t wanted = std::min(places.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < wanted; ++i) kept[places[i * places.size() / wanted]] = true;
}

}  // namespace

std::vector<Index> ImagesOf(const Dataset& dataset, Split split) {
  std::vector<Index> images;
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    if (dataset.images[i].split == split) images.push_back(static_cast<Index>(i));
  }
  return images;
}

std::vector<Index> ImagesNotForTesting(const Dataset& dataset) {
  std::vector<Index> images;
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    if (dataset.images[i].split != Split::kTest) images.push_back(static_cast<Index>(i));
  }
  return images;
}

Dataset SelectClasses(const Dataset& dataset, std::span<const int> classes) {
  Require(!classes.empty(), "the number of classes selected", ">= 1", 0);
  const int count = static_cast<int>(dataset.classes.size());
  std::vector<int> place(count, -1);
  Dataset selected = dataset;
  selected.classes.clear();
  for (const int c : classes) {
    Require(c >= 0 && c < count, "a class selected", fmt::format("in [0, {})", count), c);
    Require(place[c] < 0, "classes selected", "distinct", c);
    place[c] = static_cast<int>(selected.classes.size());
    selected.classes.push_back(dataset.classes[c]);
  }
  if (dataset.multi_label) {
    for (DatasetImage& image : selected.images) {
      std::vector<std::int8_t> targets;
      for (const int c : classes) targets.push_back(image.targets[c]);
      image.targets = std::move(targets);
    }
    return selected;
  }
  std::erase_if(selected.images, [&](const DatasetImage& image) { return place[image.label] < 0; });
  for (DatasetImage& image : selected.images) image.label = place[image.label];
  selected.has_validation = !ImagesOf(selected, Split::kValidation).empty();
  return selected;
}

Dataset KeepPerClass(const Dataset& dataset, int count) {
  Require(count >= 1, "images per class", ">= 1", count);
  std::map<std::pair<int, Split>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    const DatasetImage& image = dataset.images[i];
    if (!dataset.multi_label) groups[{image.label, image.split}].push_back(i);
    for (std::size_t c = 0; c < image.targets.size(); ++c) {
      if (image.targets[c] > 0) groups[{static_cast<int>(c), image.split}].push_back(i);
    }
  }
  std::vector<bool> kept(dataset.images.size(), false);
  for (const auto& [group, places] : groups) KeepEvenly(places, count, kept);
  Dataset fewer = dataset;
  fewer.images.clear();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) fewer.images.push_back(dataset.images[i]);
  }
  return fewer;
}

}  // namespace alcedo
