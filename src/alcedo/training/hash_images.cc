#include "alcedo/training/hash_images.h"

#include <limits>
#include <optional>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {

std::vector<std::int64_t> HashImages(const std::vector<const DatasetImage*>& images, int threads) {
  // They were read before, under the limits for pictures.
  constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();
  std::vector<std::optional<std::int64_t>> found(images.size());
  ParallelFor(std::ssize(images), threads, [&](Index i) {
    const auto number = static_cast<std::size_t>(i);
    try {
      found[number] = ShortContentHash(ReadFileBytes(images[number]->path, kNoLimit));
    } catch (const IoError&) {
      // A model is worth more than knowing all that it was trained on.
    }
  });
  std::vector<std::int64_t> hashes;
  for (const std::optional<std::int64_t>& hash : found) {
    if (hash) hashes.push_back(*hash);
  }
  return hashes;
}

}  // namespace alcedo
