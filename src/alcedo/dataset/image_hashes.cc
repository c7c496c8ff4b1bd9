#include "alcedo/dataset/image_hashes.h"

#include "alcedo/base/error.h"
#include "alcedo/base/for_each_input.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {

ImageHashes HashImages(const Dataset& dataset, const Run& run) {
  constexpr std::int64_t kMaxImageBytes = std::int64_t{1} << 30;
  ImageHashes hashes;
  const auto count = static_cast<Index>(dataset.images.size());
  Progress progress{"hashes of the images", 0, count, 0, "images"};
  ForEachInput<std::string>(
      AllNumbers(count), 256, run, progress,
      [&](Index number, int) {
        const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
        try {
          return ContentHash(ReadFileBytes(image.path, kMaxImageBytes));
        } catch (const Error&) {
          return std::string();  // whoever decodes it says what is wrong
        }
      },
      [&](std::span<const Index>, std::span<std::string> some) {
        hashes.insert(hashes.end(), some.begin(), some.end());
      });
  return hashes;
}

}  // namespace alcedo
