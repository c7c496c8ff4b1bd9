#include "alcedo/dataset/folder_split.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo::internal {
namespace {

// FNV-1a: the same on every platform, unlike std::hash.
std::uint64_t Hash(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::vector<std::string> ShuffleNames(std::vector<std::string> names, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::string>> keyed;
  keyed.reserve(names.size());
  for (std::string& name : names) {
    const std::uint64_t key = Rng::ForItem(seed, Hash(name)).Next();
    keyed.emplace_back(key, std::move(name));
  }
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::move(keyed[i].second);
  return names;
}

SplitCounts CountSplit(std::size_t images, const FolderSplitOptions& options) {
  if (images <= 1) return {0, images};
  const auto wanted =
      static_cast<std::size_t>(std::llround(options.test_fraction * static_cast<double>(images)));
  const std::size_t test = std::clamp<std::size_t>(wanted, 1, images - 1);
  const std::size_t rest = images - test;
  const auto per_class = static_cast<std::size_t>(options.train_per_class);
  return {test, per_class == 0 ? rest : std::min(rest, per_class)};
}

void CheckSplitOptions(const FolderSplitOptions& options) {
  Require(options.test_fraction > 0 && options.test_fraction < 1, "folder.test_fraction",
          "in (0, 1)", options.test_fraction);
  Require(options.train_per_class >= 0, "folder.train_per_class", ">= 0", options.train_per_class);
}

}  // namespace alcedo::internal
