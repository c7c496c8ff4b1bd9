#include "alcedo/classifier/stream_solvers.h"

#include <algorithm>
#include <memory>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/dual_block.h"
#include "alcedo/classifier/svm_problem.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// Passes after which the weights are summed again. At large C the objective feels an error of 1e-6.
constexpr int kSumAgain = 16;

class StreamedDual {
 public:
  StreamedDual(const SampleSource& rows, const Targets& targets, const SvmOptions& options,
               SvmReport& report)
      : rows_(rows),
        targets_(targets),
        options_(options),
        report_(report),
        costs_(CostsOfClasses(targets, options)),
        alpha_(Rows::Zero(targets.rows(), targets.cols())),
        weights_(Rows::Zero(targets.rows(), rows.dimension())),
        constant_(Vector::Zero(targets.rows())),
        sums_(targets.rows()),
        block_(std::make_unique<DualBlock>()) {}

  LinearModel Run() {
    const Index blocks = (rows_.rows() + kDualBlock - 1) / kDualBlock;
    Rows scratch;
    int idle = 0;  // passes without a step since the weights are without rounding of the way
    for (int pass = 1; pass <= options_.max_iterations; ++pass) {
      sums_.assign(targets_.rows(), {});
      bool changed = false;
      for (const Index number : BlockOrder(blocks, pass)) {
        const Index begin = number * kDualBlock, count = std::min(kDualBlock, rows_.rows() - begin);
        const RowChunk chunk{rows_.Chunk(begin, count, scratch), begin, count, rows_.dimension(),
                             rows_.dimension()};
        changed = Visit(chunk, pass, number) || changed;
      }
      std::fill(report_.iterations.begin(), report_.iterations.end(), pass);
      // The scores that were seen are of weights along the way. They tell when to look: only the
      // scores of the weights as they are tell the gap.
      SetGaps();
      idle = changed ? 0 : idle + 1;
      const bool last = pass == options_.max_iterations || idle > 1;
      if (last || idle > 0 || Within()) {
        SumWeights();
        Evaluate();
        if (last || Within()) break;
      } else if (pass % kSumAgain == 0) {
        SumWeights();
      }
    }
    return {weights_, constant_};
  }

 private:
  bool Within() const {
    return std::all_of(report_.gap.begin(), report_.gap.end(),
                       [&](double gap) { return gap <= options_.tolerance; });
  }

  // Descends in one block of all classes.
  bool Visit(const RowChunk& chunk, int pass, Index number) {
    const Index classes = targets_.rows();
    Rows gram = Rows::Zero(chunk.count, chunk.count), factors(classes, kDualBlock);
    MultiplyRows(chunk, Eigen::Map<const EigenRows>(chunk.rows, chunk.count, chunk.width), gram, 1);
    FillDualBlock(gram.data(), chunk.count, chunk.count, options_.bias, *block_);
    ShuffleBlock(*block_, pass, number);
    MultiplyRows(chunk, weights_, scores_, options_.threads);
    std::vector<char> changed(classes, 0);
    ParallelFor(classes, options_.threads, [&](Index c) {
      double alpha[kDualBlock], scores[kDualBlock];
      Load(chunk, c, alpha, scores);
      const std::int8_t* targets = targets_.row(c).data() + chunk.begin;
      float* delta = factors.row(c).data();
      AddDualSums(chunk.count, targets, costs_[c], options_.loss, alpha, scores, sums_[c]);
      changed[c] = DescendBlock(*block_, targets, costs_[c], options_.loss, alpha, scores, delta);
      for (Index i = 0; i < chunk.count; ++i) {
        alpha_(c, chunk.begin + i) = static_cast<float>(alpha[i]);
        constant_[c] += options_.bias * options_.bias * delta[i];
      }
    });
    if (std::find(changed.begin(), changed.end(), 1) == changed.end()) return false;
    AddWeightedRows(chunk, factors.data(), kDualBlock, weights_, options_.threads);
    return true;
  }

  void Load(const RowChunk& chunk, Index c, double* alpha, double* scores) const {
    for (Index i = 0; i < chunk.count; ++i) {
      alpha[i] = alpha_(c, chunk.begin + i);
      scores[i] = scores_(i, c) + constant_[c];
    }
  }

  // Weights from alphas again, so that no rounding of the way is left in them.
  void SumWeights() {
    weights_.setZero();
    constant_.setZero();
    Rows factors;
    ForEachChunk(rows_, [&](const RowChunk& chunk) {
      factors = alpha_.middleCols(chunk.begin, chunk.count)
                    .cwiseProduct(targets_.middleCols(chunk.begin, chunk.count).cast<float>());
      constant_ += options_.bias * options_.bias * factors.cast<double>().rowwise().sum();
      AddWeightedRows(chunk, factors.data(), chunk.count, weights_, options_.threads);
    });
  }

  void Evaluate() {
    const Index classes = targets_.rows();
    sums_.assign(classes, {});
    const auto add = [&](const RowChunk& chunk) {
      MultiplyRows(chunk, weights_, scores_, options_.threads);
      ParallelFor(classes, options_.threads, [&](Index c) {
        double alpha[kDualBlock], scores[kDualBlock];
        Load(chunk, c, alpha, scores);
        AddDualSums(chunk.count, targets_.row(c).data() + chunk.begin, costs_[c], options_.loss,
                    alpha, scores, sums_[c]);
      });
    };
    ForEachChunk(rows_, add, kDualBlock);
    SetGaps();
  }

  void SetGaps() {
    for (Index c = 0; c < targets_.rows(); ++c) {
      double squares = weights_.row(c).cast<double>().squaredNorm();
      // The weight of the constant feature is constant_ / bias.
      if (options_.bias > 0) squares += constant_[c] * constant_[c] / options_.bias / options_.bias;
      report_.gap[c] = RelativeGap(squares / 2 + sums_[c].losses, sums_[c].duals - squares / 2);
    }
  }

  const SampleSource& rows_;
  const Targets& targets_;
  const SvmOptions& options_;
  SvmReport& report_;
  std::vector<SvmCosts> costs_;
  Rows alpha_;  // classes x samples
  Rows weights_;
  Vector constant_;  // what the constant feature adds to every score
  std::vector<DualSums> sums_;
  Rows scores_;
  std::unique_ptr<DualBlock> block_;
};

}  // namespace

LinearModel TrainByStreamedDual(const SampleSource& rows, const Targets& targets,
                                const SvmOptions& options, SvmReport& report) {
  StartReport(report, targets.rows(), SvmSolver::kStream);
  LinearModel model = StreamedDual(rows, targets, options, report).Run();
  FinishReport(report, options.tolerance);
  return model;
}

}  // namespace alcedo
