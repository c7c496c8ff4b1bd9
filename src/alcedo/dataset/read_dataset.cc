#include "alcedo/dataset/read_dataset.h"

#include "alcedo/base/error.h"
#include "alcedo/dataset/detect.h"
#include "alcedo/dataset/readers.h"

namespace alcedo {

Dataset ReadDataset(const std::filesystem::path& root, DatasetKind kind,
                    const FolderSplitOptions& split) {
  const auto [found, place] = internal::LocateDataset(root, kind);
  switch (found) {
    case DatasetKind::kFlowers:
      return internal::ReadFlowers(place);
    case DatasetKind::kVoc2007:
      return internal::ReadVoc2007(place);
    case DatasetKind::kCub2010:
      return internal::ReadCub2010(place);
    case DatasetKind::kCub2011:
      return internal::ReadCub2011(place);
    case DatasetKind::kPets:
      return internal::ReadPets(place);
    case DatasetKind::kFolder:
      return internal::ReadFolder(place, split);
    case DatasetKind::kAuto:
      break;
  }
  throw InvalidArgument("the kind of dataset must be one of " + NameList<DatasetKind>());
}

}  // namespace alcedo
