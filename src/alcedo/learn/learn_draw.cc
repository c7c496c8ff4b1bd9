#include "alcedo/learn/learn_draw.h"

#include <algorithm>
#include <utility>

namespace alcedo::internal {

Index SampleQuota(Index image, Index images, Index samples) {
  return (image + 1) * samples / images - image * samples / images;
}

std::vector<Index> DrawRows(const RowsView& rows, Index quota, Rng& rng) {
  std::vector<Index> candidates;
  for (Index r = 0; r < rows.rows(); ++r) {
    if ((rows.row(r).array() != 0).any()) candidates.push_back(r);
  }
  const auto count = static_cast<Index>(candidates.size());
  if (count <= quota) return candidates;
  for (Index i = 0; i < quota; ++i) {  // the beginning of a shuffle
    std::swap(candidates[i], candidates[i + rng.UniformIndex(count - i)]);
  }
  candidates.resize(quota);
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

Rows Subsample(const SampleSource& samples, Index count) {
  count = std::min(count, samples.rows());
  Rows rows(count, samples.dimension());
  Rows scratch;
  for (Index i = 0; i < count; ++i) {
    const float* row = samples.Chunk(i * samples.rows() / count, 1, scratch);
    std::copy_n(row, samples.dimension(), rows.row(i).data());
  }
  return rows;
}

}  // namespace alcedo::internal
