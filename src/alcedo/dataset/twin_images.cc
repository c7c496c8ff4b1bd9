#include "alcedo/dataset/twin_images.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "alcedo/base/text.h"

namespace alcedo {
std::vector<TwinImage> TwinImages(const Dataset& dataset, const ImageHashes& hashes) {
  std::map<std::string_view, Index> others;
  for (const Index other : ImagesNotForTesting(dataset)) {
    others.emplace(hashes[static_cast<std::size_t>(other)], other);
  }
  std::vector<TwinImage> twins;
  for (const Index test : ImagesOf(dataset, Split::kTest)) {
    const std::string& hash = hashes[static_cast<std::size_t>(test)];
    const auto equal = others.find(hash);
    if (!hash.empty() && equal != others.end()) twins.push_back({test, equal->second});
  }
  return twins;
}

std::string TwinImagesNote(const Dataset& dataset, const std::vector<TwinImage>& twins) {
  if (twins.empty()) return "";
  std::vector<std::string> pairs;
  for (const TwinImage& s : twins) {
    pairs.push_back(fmt::format("{} is {}", dataset.images[static_cast<std::size_t>(s.test)].name,
                                dataset.images[static_cast<std::size_t>(s.other)].name));
  }
  return fmt::format(
      "{} of {} test images {} also to train on, byte for byte, so that accuracy on new images "
      "will "
      "be lower; take them out of one of the two: {}",
      twins.size(), ImagesOf(dataset, Split::kTest).size(), twins.size() == 1 ? "is" : "are",
      FirstOf(pairs));
}

}  // namespace alcedo
