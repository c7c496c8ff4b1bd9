#include "alcedo/classifier/gram_svm.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/dual_group.h"
#include "alcedo/classifier/svm_problem.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// Sides of the tiles that run in parallel. Smaller ones waste less on the diagonal, larger ones
// read (and pack) the rows less often.
constexpr Index kTile = 256;

Index Tiles(Index rows) { return (rows + kTile - 1) / kTile; }

// What a tile needs of rows wherever they are.
struct RowsAt {
  const float* values;
  Index stride;
};

// fetch(begin, count, scratch) gives RowsAt.
template <class Fetch>
Rows AllProducts(Index n, Index width, int threads, const Fetch& fetch) {
  if (width == 0) return Rows::Zero(n, n);
  Rows gram(n, n);
  const Index tiles = Tiles(n);
  ParallelFor(tiles * (tiles + 1) / 2, threads, [&](Index pair) {
    Index i = 0;
    while ((i + 1) * (i + 2) / 2 <= pair) ++i;
    const Index j = pair - i * (i + 1) / 2;
    const Index a = i * kTile, b = j * kTile;
    const Index rows = std::min(kTile, n - a), cols = std::min(kTile, n - b);
    Rows a_scratch, b_scratch;
    const RowsAt x = fetch(a, rows, a_scratch);
    const RowsAt y = i == j ? x : fetch(b, cols, b_scratch);
    if (i != j) {
      blas::MultiplyTransposed(x.values, rows, width, x.stride, y.values, cols, y.stride,
                               gram.data() + a * n + b, n);
      gram.block(b, a, cols, rows) = gram.block(a, b, rows, cols).transpose();
      return;
    }
    // Half of a tile on the diagonal would be computed twice: a quarter in two steps is.
    for (Index part = 0; part < rows; part += kTile / 4) {
      const Index height = std::min(kTile / 4, rows - part);
      blas::MultiplyTransposed(x.values + part * x.stride, height, width, x.stride, x.values,
                               part + height, x.stride, gram.data() + (a + part) * n + a, n);
    }
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < r; ++c) gram(a + c, a + r) = gram(a + r, a + c);
    }
  });
  return gram;
}

// Classes that are solved together: enough for fast products, few enough to share among threads.
constexpr Index kMostTogether = 100;

void CheckGram(const RowsView& gram, const KernelModel* start, Index classes) {
  const Index n = gram.rows();
  if (gram.cols() != n) {
    throw InvalidArgument(fmt::format("gram must be square, got {} x {}", n, gram.cols()));
  }
  for (Index i = 0; i < n; ++i) {
    if (!gram.row(i).allFinite()) {
      throw InvalidArgument(fmt::format("gram: row {} has a value that is not finite", i));
    }
    if (gram(i, i) < 0) {
      throw InvalidArgument(
          fmt::format("gram: the diagonal must be >= 0, got {:g} in row {}", gram(i, i), i));
    }
  }
  if (start == nullptr) return;
  if (start->coefficients.rows() != classes || start->coefficients.cols() != n) {
    throw InvalidArgument(fmt::format("warm start must be {} x {} coefficients, got {} x {}",
                                      classes, n, start->coefficients.rows(),
                                      start->coefficients.cols()));
  }
  if (!start->coefficients.allFinite()) {
    throw InvalidArgument("warm start: coefficients must be finite");
  }
}

// Of either kind of rows.
template <class AnyRows>
LinearModel SumRows(const KernelModel& model, const AnyRows& rows, Index width, int threads) {
  if (rows.rows() != model.coefficients.cols()) {
    throw InvalidArgument(fmt::format("training rows must be the {} of the model, got {}",
                                      model.coefficients.cols(), rows.rows()));
  }
  LinearModel linear;
  linear.weights = Rows::Zero(model.coefficients.rows(), width);
  linear.bias = model.bias * model.bias * model.coefficients.rowwise().sum();
  const Rows coefficients = model.coefficients.cast<float>();
  ForEachChunk(rows, [&](const RowChunk& chunk) {
    AddWeightedRows(chunk, coefficients.data() + chunk.begin, coefficients.cols(), linear.weights,
                    threads);
  });
  return linear;
}

}  // namespace

Rows GramMatrix(const RowsView& rows, int threads) {
  CheckRows(rows.data(), rows.rows(), rows.cols(), rows.outerStride(), 0, "rows");
  return AllProducts(rows.rows(), rows.cols(), threads, [&](Index begin, Index, Rows&) {
    return RowsAt{rows.data() + begin * rows.outerStride(), rows.outerStride()};
  });
}

Rows GramMatrix(const SampleSource& rows, int threads) {
  CheckRows(rows, "rows", threads);
  return AllProducts(rows.rows(), rows.dimension(), threads,
                     [&](Index begin, Index count, Rows& scratch) {
                       return RowsAt{rows.Chunk(begin, count, scratch), rows.dimension()};
                     });
}

Rows CrossGram(const RowsView& a, const RowsView& b, int threads) {
  if (a.cols() != b.cols()) {
    throw InvalidArgument(fmt::format(
        "rows must have the {} dimensions of the training rows, got {}", b.cols(), a.cols()));
  }
  CheckRows(a.data(), a.rows(), a.cols(), a.outerStride(), 0, "rows");
  CheckRows(b.data(), b.rows(), b.cols(), b.outerStride(), 0, "training rows");
  if (a.cols() == 0) return Rows::Zero(a.rows(), b.rows());
  Rows products(a.rows(), b.rows());
  const Index down = Tiles(a.rows()), across = Tiles(b.rows());
  ParallelFor(down * across, threads, [&](Index tile) {
    const Index i = tile / across * kTile, j = tile % across * kTile;
    blas::MultiplyTransposed(a.data() + i * a.outerStride(), std::min(kTile, a.rows() - i),
                             a.cols(), a.outerStride(), b.data() + j * b.outerStride(),
                             std::min(kTile, b.rows() - j), b.outerStride(),
                             products.data() + i * b.rows() + j, b.rows());
  });
  return products;
}

KernelModel TrainGramSvm(const RowsView& gram, const Targets& targets, const SvmOptions& options,
                         SvmReport* report, const KernelModel* warm_start) {
  Check(options);
  if (options.solver == SvmSolver::kStream) {
    throw InvalidArgument("svm.solver", "must be auto or gram for products of rows",
                          std::string(Name(options.solver)));
  }
  CheckGram(gram, warm_start, targets.rows());
  CheckTargets(targets, gram.rows());
  const Index classes = targets.rows();
  SvmReport own;
  SvmReport& seen = report != nullptr ? *report : own;
  StartReport(seen, classes, SvmSolver::kGram);
  KernelModel model{Matrix::Zero(classes, gram.rows()), options.bias};
  const GramProblem problem{gram, targets, options, CostsOfClasses(targets, options)};
  const Index groups = (classes + kMostTogether - 1) / kMostTogether;
  ParallelFor(groups, options.threads, [&](Index g) {
    const Index begin = g * classes / groups, end = (g + 1) * classes / groups;
    const auto group = std::make_unique<DualGroup>(problem, begin, end - begin);
    if (warm_start != nullptr) group->Start(*warm_start);
    group->Run(seen, model.coefficients);
  });
  FinishReport(seen, options.tolerance);
  return model;
}

Matrix Scores(const KernelModel& model, const RowsView& cross_gram, int threads) {
  const Index classes = model.coefficients.rows();
  if (cross_gram.cols() != model.coefficients.cols()) {
    throw InvalidArgument(
        fmt::format("cross gram must have a column for each of the {} training "
                    "samples, got {}",
                    model.coefficients.cols(), cross_gram.cols()));
  }
  CheckRows(cross_gram.data(), cross_gram.rows(), cross_gram.cols(), cross_gram.outerStride(), 0,
            "cross gram", std::numeric_limits<double>::max());
  const Vector constant = model.bias * model.bias * model.coefficients.rowwise().sum();
  Matrix scores(cross_gram.rows(), classes);
  constexpr Index kChunk = 64;
  // In double: with a large C the terms of a score are far larger than their sum.
  ParallelFor((cross_gram.rows() + kChunk - 1) / kChunk, threads, [&](Index chunk) {
    const Index begin = chunk * kChunk, count = std::min(kChunk, cross_gram.rows() - begin);
    const Matrix products = cross_gram.middleRows(begin, count).cast<double>();
    scores.middleRows(begin, count).noalias() = products * model.coefficients.transpose();
    scores.middleRows(begin, count).rowwise() += constant.transpose();
  });
  return scores;
}

LinearModel ToLinear(const KernelModel& model, const SampleSource& training_rows, int threads) {
  return SumRows(model, training_rows, training_rows.dimension(), threads);
}

LinearModel ToLinear(const KernelModel& model, const RowsView& training_rows, int threads) {
  return SumRows(model, training_rows, training_rows.cols(), threads);
}

}  // namespace alcedo
