#include "alcedo/dataset/twin_images.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "alcedo/base/error.h"
#include "alcedo/base/text.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {
namespace {

constexpr std::int64_t kMaxImageBytes = std::int64_t{1} << 30;

std::optional<std::string> HashOfImage(const DatasetImage& image) {
  try {
    return ContentHash(ReadFileBytes(image.path, kMaxImageBytes));
  } catch (const Error&) {
    return std::nullopt;  // whoever decodes it says what is wrong
  }
}

struct SameSize {
  std::vector<Index> test, others;
};

}  // namespace

std::vector<TwinImage> TwinImages(const Dataset& dataset) {
  std::map<std::uintmax_t, SameSize> sizes;
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(dataset.images[i].path, error);
    if (error) continue;
    SameSize& same = sizes[size];
    (dataset.images[i].split == Split::kTest ? same.test : same.others)
        .push_back(static_cast<Index>(i));
  }
  std::map<Index, Index> found;  // sorted by test image
  for (const auto& [size, same] : sizes) {
    if (same.test.empty() || same.others.empty()) continue;
    std::map<std::string, Index> hashes;
    for (const Index other : same.others) {
      const auto hash = HashOfImage(dataset.images[static_cast<std::size_t>(other)]);
      if (hash) hashes.emplace(*hash, other);
    }
    for (const Index test : same.test) {
      const auto hash = HashOfImage(dataset.images[static_cast<std::size_t>(test)]);
      const auto equal = hash ? hashes.find(*hash) : hashes.end();
      if (equal != hashes.end()) found.emplace(test, equal->second);
    }
  }
  std::vector<TwinImage> twins;
  for (const auto& [test, other] : found) twins.push_back({test, other});
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
