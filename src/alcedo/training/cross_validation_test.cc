// Ridge regression of held-out images against a solution from the formula.
#include "alcedo/training/cross_validation.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "alcedo/base/random.h"

namespace alcedo {
namespace {

using Dense = Eigen::MatrixXd;

// Minimises 1/2 |w|^2 + C sum (y - w . x)^2 over w for rows with a constant 1 at their end.
Dense NaiveScores(const Dense& rows, const Dense& targets, const Fold& fold, double c) {
  const auto part = [](const Dense& all, const std::vector<Index>& which) {
    Dense some(static_cast<Index>(which.size()), all.cols());
    for (std::size_t i = 0; i < which.size(); ++i)
      some.row(static_cast<Index>(i)) = all.row(which[i]);
    return some;
  };
  const Dense x = part(rows, fold.train), y = part(targets, fold.train);
  Dense normal = 2 * c * x.transpose() * x;
  normal.diagonal().array() += 1;
  return part(rows, fold.held_out) * normal.ldlt().solve(2 * c * x.transpose() * y);
}

TEST(HeldOutRidgeScores, AreThoseOfTheNormalEquations) {
  constexpr Index kImages = 60, kDimension = 9;
  Rng rng(3);
  Rows rows(kImages, kDimension);
  for (float& value : rows.reshaped()) value = static_cast<float>(rng.Uniform() - 0.4);
  Truth truth;
  truth.classes = 3;
  truth.multi_label = true;  // with difficult images: targets of 0
  truth.targets.resize(kImages, 3);
  for (Index i = 0; i < kImages; ++i) {
    for (int k = 0; k < 3; ++k)
      truth.targets(i, k) = static_cast<std::int8_t>((i * 7 + k * 5) % 3 - 1);
  }
  std::vector<Fold> folds(3);
  for (Index i = 0; i < kImages; ++i) {
    for (Index f = 0; f < 3; ++f) (i % 3 == f ? folds[f].held_out : folds[f].train).push_back(i);
  }
  Dense with_constant(kImages, kDimension + 1);
  with_constant << Dense(rows.cast<double>()), Dense::Ones(kImages, 1);
  const Dense targets = truth.targets.cast<double>();
  const Rows gram = rows * rows.transpose();
  for (const double c : {1e-2, 1.0, 30.0, 1e4}) {  // in float, and in double
    const std::optional<Matrix> scores = HeldOutRidgeScores(gram, truth, folds, c, 2);
    ASSERT_TRUE(scores);
    Index begin = 0;
    for (const Fold& fold : folds) {
      const Dense expected = NaiveScores(with_constant, targets, fold, c);
      const Dense got = scores->middleRows(begin, expected.rows());
      EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 5e-2) << c;
      // Products in float leave the more of an error, the larger C.
      EXPECT_LT((got - expected).norm() / expected.norm(), c > 100 ? 2e-2 : 2e-3) << c;
      begin += expected.rows();
    }
    EXPECT_EQ(begin, scores->rows());
  }
}

TEST(HeldOutRidgeScores, DoNotDependOnThreads) {
  Rng rng(4);
  Rows rows(30, 5);
  for (float& value : rows.reshaped()) value = static_cast<float>(rng.Uniform());
  Truth truth;
  truth.classes = 1;
  truth.targets.resize(30, 1);
  for (Index i = 0; i < 30; ++i)
    truth.targets(i, 0) = static_cast<std::int8_t>(i % 2 == 0 ? 1 : -1);
  std::vector<Fold> folds(2);
  for (Index i = 0; i < 30; ++i) (i < 10 ? folds[0].held_out : folds[0].train).push_back(i);
  for (Index i = 0; i < 30; ++i) (i < 20 ? folds[1].train : folds[1].held_out).push_back(i);
  const Rows gram = rows * rows.transpose();
  EXPECT_EQ(*HeldOutRidgeScores(gram, truth, folds, 1, 1),
            *HeldOutRidgeScores(gram, truth, folds, 1, 4));
}

}  // namespace
}  // namespace alcedo
