#include "alcedo/training/cross_validation.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/linalg/blas.h"

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

// Where the scores of every fold begin, and at the end how many there are.
std::vector<Index> ScoreOffsets(const std::vector<Fold>& folds) {
  std::vector<Index> offsets{0};
  for (const Fold& fold : folds) {
    offsets.push_back(offsets.back() + static_cast<Index>(fold.held_out.size()));
  }
  return offsets;
}

// body(fold, threads) for every fold, in parallel; what threads are left over go to the folds.
void ForEachFold(const std::vector<Fold>& folds, int threads, const AfterFold& after_fold,
                 const std::function<void(std::size_t, int)>& body) {
  const auto count = static_cast<int>(folds.size());
  const int inside = std::max(1, threads / std::max(1, count));
  std::mutex one_at_a_time;
  ParallelFor(count, std::min(threads, std::max(1, count)), [&](Index f) {
    body(static_cast<std::size_t>(f), inside);
    if (!after_fold) return;
    const std::lock_guard lock(one_at_a_time);
    after_fold();
  });
}

constexpr double kBias = 1;  // as SvmOptions has it

// False if the matrix is not positive definite to the precision of Real.
template <class Real>
bool RidgeFold(const Rows& gram, const Truth& truth, const Fold& fold, double c,
               MatrixSpan scores) {
  const auto n = static_cast<Index>(fold.train.size());
  std::vector<Real> factor(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) {
    const float* row = gram.data() + fold.train[static_cast<std::size_t>(i)] * gram.cols();
    Real* out = factor.data() + i * n;
    for (Index j = 0; j <= i; ++j) {
      out[j] = static_cast<Real>(row[fold.train[static_cast<std::size_t>(j)]] + kBias);
    }
    out[i] += static_cast<Real>(1 / (2 * c));
  }
  if (!blas::CholeskyFactor(factor.data(), n)) return false;
  std::vector<Real> coefficients(static_cast<std::size_t>(truth.classes * n));  // classes x n
  for (Index i = 0; i < n; ++i) {
    const Index image = fold.train[static_cast<std::size_t>(i)];
    for (int k = 0; k < truth.classes; ++k) {
      coefficients[static_cast<std::size_t>(k * n + i)] = truth.targets(image, k);
    }
  }
  blas::CholeskySolve(factor.data(), n, coefficients.data(), truth.classes);
  const Rows weights =
      Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          coefficients.data(), truth.classes, n)
          .template cast<float>();
  const Rows cross = Submatrix(gram, fold.held_out, fold.train);
  Rows products(cross.rows(), truth.classes);
  blas::MultiplyTransposed(cross.data(), cross.rows(), n, n, weights.data(), truth.classes, n,
                           products.data(), truth.classes);
  scores = products.cast<double>();
  scores.rowwise() += (kBias * weights.cast<double>().rowwise().sum()).transpose();
  return true;
}

// Float is twice as fast, and enough while the condition, at most n largest / (1 / 2C), is far from
// its rounding.
bool FloatIsEnough(const Rows& gram, double c) {
  const double largest = gram.size() > 0 ? gram.diagonal().maxCoeff() + kBias : 0;
  return static_cast<double>(gram.rows()) * largest * 2 * c < 1e5;
}

}  // namespace

Matrix HeldOutSvmScores(const Rows& gram, const Truth& truth, const std::vector<Fold>& folds,
                        const SvmOptions& options, SvmReport* report, const AfterFold& after_fold) {
  const std::vector<Index> offsets = ScoreOffsets(folds);
  Matrix scores(offsets.back(), truth.classes);
  std::vector<SvmReport> reports(folds.size());
  ForEachFold(folds, options.threads, after_fold, [&](std::size_t f, int threads) {
    const Fold& fold = folds[f];
    SvmOptions mine = options;
    mine.threads = threads;
    const KernelModel model =
        TrainGramSvm(Submatrix(gram, fold.train, fold.train),
                     Part(truth, fold.train).targets.transpose(), mine, &reports[f]);
    const Rows cross = Submatrix(gram, fold.held_out, fold.train);
    scores.middleRows(offsets[f], cross.rows()) = Scores(model, cross, threads);
  });
  if (report != nullptr && !reports.empty()) {
    const auto worst_gap = [](const SvmReport& r) {
      return r.gap.empty() ? 0 : *std::ranges::max_element(r.gap);
    };
    *report = *std::ranges::max_element(reports, {}, worst_gap);
  }
  return scores;
}

std::optional<Matrix> HeldOutRidgeScores(const Rows& gram, const Truth& truth,
                                         const std::vector<Fold>& folds, double c, int threads,
                                         const AfterFold& after_fold) {
  const std::vector<Index> offsets = ScoreOffsets(folds);
  Matrix scores(offsets.back(), truth.classes);
  std::atomic<bool> solved = true;
  const bool in_float = FloatIsEnough(gram, c);
  ForEachFold(folds, threads, after_fold, [&](std::size_t f, int) {
    Matrix mine(offsets[f + 1] - offsets[f], truth.classes);
    const bool done = (in_float && RidgeFold<float>(gram, truth, folds[f], c, mine)) ||
                      RidgeFold<double>(gram, truth, folds[f], c, mine);
    if (!done) {
      solved = false;
      return;
    }
    scores.middleRows(offsets[f], mine.rows()) = mine;
  });
  if (!solved) return std::nullopt;
  return scores;
}

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

std::vector<Fold> TrainFolds(const Dataset& dataset, const std::vector<Index>& images,
                             const TrainOptions& options) {
  Dataset layout;  // what MakeFolds() looks at
  layout.multi_label = dataset.multi_label;
  layout.images = dataset.images;
  const auto validation = std::ranges::count_if(images, [&](Index number) {
    return dataset.images[static_cast<std::size_t>(number)].split == Split::kValidation;
  });
  layout.has_validation = validation > 0 && validation < std::ssize(images);
  auto folds = std::min<Index>(options.folds, std::ssize(images));
  if (!dataset.multi_label) {
    std::vector<Index> counts(dataset.classes.size(), 0);
    for (const Index number : images) {
      const int label = dataset.images[static_cast<std::size_t>(number)].label;
      ++counts[static_cast<std::size_t>(label)];
    }
    for (const Index count : counts) {
      if (count > 0) folds = std::min(folds, count);
    }
  }
  if (!layout.has_validation && folds < 2) return {};
  return MakeFolds(layout, images, static_cast<int>(folds), options.seed);
}

void ChooseByHeldOut(const std::vector<std::vector<Matrix>>& scores, const std::vector<double>& cs,
                     const Truth& truth, const TrainOptions& options, TrainResult& result) {
  Model& model = result.model;
  const auto channels_at = [&](std::size_t c) {
    std::vector<Matrix> channels;
    for (const std::vector<Matrix>& channel : scores) channels.push_back(channel[c]);
    return channels;
  };
  std::size_t best = 0;
  double quality = -1;
  for (std::size_t i = 0; i < cs.size(); ++i) {
    // Among equals the first, the smallest C.
    const double q = Quality(FuseScores(channels_at(i)), truth);
    if (q > quality) best = i, quality = q;
  }
  const std::vector<Matrix> channels = channels_at(best);
  if (options.fusion_weights == FusionWeights::kValidation) {
    model.fusion_weights =
        ChooseFusionWeights(channels, [&](const Matrix& fused) { return Quality(fused, truth); });
  }
  const Matrix fused = FuseScores(channels, model.fusion_weights);
  model.training.c = cs[best];
  model.training.validation = Quality(fused, truth);
  if (!truth.multi_label) {
    result.held_out_images =
        100 * TopOneAccuracy(Predict(fused), truth.labels, truth.classes).over_images;
  }
  if (options.probabilities) model.platt = FitPlatt(fused, truth.targets.transpose());
}

}  // namespace alcedo
