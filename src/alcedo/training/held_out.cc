#include "alcedo/training/held_out.h"

#include "alcedo/base/types.h"

namespace alcedo {
namespace {

Rows Submatrix(const Rows& matrix, const std::vector<Index>& rows,
               const std::vector<Index>& columns) {
  Rows part(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      part(static_cast<Index>(i), static_cast<Index>(j)) = matrix(rows[i], columns[j]);
    }
  }
  return part;
}

}  // namespace

std::vector<Matrix> HeldOutScores(const Rows& gram, const Truth& truth,
                                  const std::vector<Fold>& folds,
                                  std::span<const SvmOptions> candidates) {
  Index held_out = 0;
  for (const Fold& fold : folds) held_out += static_cast<Index>(fold.held_out.size());
  std::vector<Matrix> scores(candidates.size(), Matrix(held_out, truth.classes));
  Index begin = 0;
  for (const Fold& fold : folds) {
    const Rows train = Submatrix(gram, fold.train, fold.train);
    const Rows cross = Submatrix(gram, fold.held_out, fold.train);
    const Targets targets = Part(truth, fold.train).targets.transpose();
    KernelModel model;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const SvmOptions& options = candidates[i];
      model = TrainGramSvm(train, targets, options, nullptr, i == 0 ? nullptr : &model);
      scores[i].middleRows(begin, cross.rows()) = Scores(model, cross, options.threads);
    }
    begin += cross.rows();
  }
  return scores;
}

Truth HeldOutTruth(const Truth& truth, const std::vector<Fold>& folds) {
  std::vector<Index> rows;
  for (const Fold& fold : folds) {
    rows.insert(rows.end(), fold.held_out.begin(), fold.held_out.end());
  }
  return Part(truth, rows);
}

}  // namespace alcedo
