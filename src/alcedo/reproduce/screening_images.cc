#include "alcedo/reproduce/screening_images.h"

#include <algorithm>
#include <tuple>

#include "alcedo/training/cross_validation.h"

namespace alcedo::reproduce {
namespace {

// A class for every image.
int ClassOf(const Truth& truth, Index row) {
  if (!truth.multi_label) return truth.labels[static_cast<std::size_t>(row)];
  for (int k = 0; k < truth.classes; ++k) {
    if (truth.targets(row, k) > 0) return k;
  }
  return truth.classes;
}

// Which fold holds every image out; -1 for those that are only trained on.
std::vector<int> HeldOutBy(Index images, const std::vector<Fold>& folds) {
  std::vector<int> by(static_cast<std::size_t>(images), -1);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (const Index row : folds[f].held_out) {
      by[static_cast<std::size_t>(row)] = static_cast<int>(f);
    }
  }
  return by;
}

// The numbers that these rows have among those that are kept.
std::vector<Index> Kept(const std::vector<Index>& rows, const std::vector<Index>& new_number) {
  std::vector<Index> kept;
  for (const Index row : rows) {
    const Index number = new_number[static_cast<std::size_t>(row)];
    if (number >= 0) kept.push_back(number);
  }
  return kept;
}

}  // namespace

ScreeningImages ThinOut(const Truth& truth, const std::vector<Fold>& folds, Index most) {
  const Index count = truth.targets.rows();
  const std::vector<int> held_out_by = HeldOutBy(count, folds);
  std::vector<std::tuple<int, int, Index>> order;  // class, fold, row
  for (Index row = 0; row < count; ++row) {
    order.emplace_back(ClassOf(truth, row), held_out_by[static_cast<std::size_t>(row)], row);
  }
  std::ranges::sort(order);
  ScreeningImages result;
  const Index keep = std::min(count, most);
  for (Index i = 0; i < count; ++i) {
    // Evenly spaced in this order: `keep` of the steps reach the next whole number.
    if ((i + 1) * keep / count > i * keep / count) {
      result.rows.push_back(std::get<2>(order[static_cast<std::size_t>(i)]));
    }
  }
  std::ranges::sort(result.rows);
  std::vector<Index> new_number(static_cast<std::size_t>(count), -1);
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    new_number[static_cast<std::size_t>(result.rows[i])] = static_cast<Index>(i);
  }
  result.truth = Part(truth, result.rows);
  for (const Fold& fold : folds) {
    result.folds.push_back({Kept(fold.train, new_number), Kept(fold.held_out, new_number)});
  }
  result.held_out = HeldOutTruth(result.truth, result.folds);
  return result;
}

}  // namespace alcedo::reproduce
