#include <fmt/format.h>

#include "alcedo/base/error.h"
#include "alcedo/dataset/mat_file.h"
#include "alcedo/dataset/readers.h"

namespace alcedo::internal {
namespace {

constexpr int kClasses = 102;

struct Set {
  const char* variable;
  Split split;
};
constexpr Set kSets[] = {
    {"trnid", Split::kTrain}, {"valid", Split::kValidation}, {"tstid", Split::kTest}};

}  // namespace

Dataset ReadFlowers(const std::filesystem::path& root) {
  Dataset dataset = BeginDataset(DatasetKind::kFlowers, "Oxford 102 Flowers", root);
  RequireParts(dataset, {"imagelabels.mat", "setid.mat", "jpg/"});
  const std::vector<int> labels = ReadMatIntegers(root / "imagelabels.mat", "labels", 1, kClasses);
  const int count = static_cast<int>(labels.size());
  for (int c = 1; c <= kClasses; ++c) dataset.classes.push_back(fmt::format("{:03}", c));
  // The set of every image, -1 if it is in none.
  std::vector<int> set_of(count, -1);
  for (int s = 0; s < 3; ++s) {
    for (const int id : ReadMatIntegers(root / "setid.mat", kSets[s].variable, 1, count)) {
      if (set_of[id - 1] >= 0) {
        throw FormatError((root / "setid.mat").string(),
                          fmt::format("image {} is in {} and in {}", id,
                                      kSets[set_of[id - 1]].variable, kSets[s].variable),
                          Hint{"unpack or download it again", "", ""});
      }
      set_of[id - 1] = s;
    }
  }
  for (int i = 0; i < count; ++i) {
    if (set_of[i] < 0) continue;
    DatasetImage& image = dataset.images.emplace_back();
    image.name = fmt::format("jpg/image_{:05}.jpg", i + 1);
    image.path = root / image.name;
    image.label = labels[i] - 1;
    image.split = kSets[set_of[i]].split;
  }
  RequireImages(dataset, "setid.mat");
  NoteUnlisted(dataset, "jpg");
  FinishDataset(dataset);
  return dataset;
}

}  // namespace alcedo::internal
