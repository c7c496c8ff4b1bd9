#include "alcedo/classifier/stream_solvers.h"

#include <algorithm>
#include <cmath>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/svm_problem.h"

namespace alcedo {
namespace {

constexpr double kNewtonForcing = 0.1;    // residual of a Newton step, relative to the gradient
constexpr int kMostNewtonProducts = 200;  // per Newton step
constexpr double kArmijo = 1e-4;          // part of the promised decrease that a step must bring
constexpr double kRounding = 1e-7;        // relative error of an objective from float products
constexpr int kMostNewtonHalvings = 40;

using Values = Eigen::Map<Eigen::VectorXf>;

double Dot(const Values& a, const Values& b) { return a.cast<double>().dot(b.cast<double>()); }

// Where one class is. Its vectors have the weight of the constant feature as their last value.
struct ClassState {
  enum class Asks { kObjective, kProduct, kNothing };
  Asks asks = Asks::kObjective;
  double objective = 0, gradient_squares = 0;  // at the last accepted point
  double slope = 0;                            // gradient . step
  double residual_squares = 0, direction_norm = 0;
  double size = 1;    // of the step that is being tried
  bool first = true;  // no point was accepted yet
  int products = 0, halvings = 0;
  double losses = 0;  // of the last pass, if it asked for the objective
};

class Newton {
 public:
  Newton(const SampleSource& rows, const Targets& targets, const SvmOptions& options,
         SvmReport& report)
      : rows_(rows),
        targets_(targets),
        options_(options),
        report_(report),
        costs_(CostsOfClasses(targets, options)),
        states_(targets.rows()),
        inside_(targets.rows(), targets.cols()) {
    for (Rows* m : {&point_, &gradient_, &step_, &residual_, &direction_}) {
      m->setZero(targets.rows(), rows.dimension() + 1);
    }
  }

  LinearModel Run(const LinearModel* start) {
    const Index width = rows_.dimension();
    if (start != nullptr) {
      point_.leftCols(width) = start->weights;
      if (options_.bias > 0) point_.col(width) = (start->bias / options_.bias).cast<float>();
    }
    std::vector<Index> active(states_.size());
    for (std::size_t c = 0; c < active.size(); ++c) active[c] = static_cast<Index>(c);
    for (int pass = 1; !active.empty(); ++pass) {
      Pass(active);
      ParallelFor(static_cast<Index>(active.size()), options_.threads, [&](Index a) {
        ClassState& state = states_[active[a]];
        report_.iterations[active[a]] = pass;
        const bool objective = state.asks == ClassState::Asks::kObjective;
        objective ? TakeObjective(active[a], a) : TakeProduct(active[a], a);
        // The report is of an accepted point: a step that is under way is given up.
        if (pass >= options_.max_iterations) state.asks = ClassState::Asks::kNothing;
      });
      std::erase_if(active, [&](Index c) { return states_[c].asks == ClassState::Asks::kNothing; });
    }
    return {point_.leftCols(width), options_.bias * point_.col(width).cast<double>()};
  }

 private:
  static Values Row(Rows& m, Index i) { return {m.row(i).data(), m.cols()}; }

  // Fills outputs_ (and the losses) for what the active classes ask.
  void Pass(const std::vector<Index>& active) {
    const auto count = static_cast<Index>(active.size());
    const Index width = rows_.dimension();
    inputs_.resize(count, width + 1);
    outputs_.setZero(count, width + 1);
    for (Index a = 0; a < count; ++a) {
      ClassState& state = states_[active[a]];
      state.losses = 0;
      auto input = Row(inputs_, a);
      if (state.asks == ClassState::Asks::kProduct) {
        // Of length 1: the squares of huge rows leave the range of float soon enough.
        input = Row(direction_, active[a]) / static_cast<float>(state.direction_norm);
      } else {
        input = Row(point_, active[a]) + static_cast<float>(state.size) * Row(step_, active[a]);
      }
    }
    Rows scores, factors;
    std::vector<double> factor_sums(count, 0.0);
    ForEachChunk(rows_, [&](const RowChunk& chunk) {
      MultiplyRows(chunk, inputs_, scores, options_.threads);
      factors.resize(count, chunk.count);
      ParallelFor(count, options_.threads, [&](Index a) {
        const double constant = options_.bias * inputs_(a, width);
        for (Index i = 0; i < chunk.count; ++i) {
          const double factor = Factor(active[a], chunk.begin + i, scores(i, a) + constant);
          factors(a, i) = static_cast<float>(factor);
          factor_sums[a] += factor;
        }
      });
      AddWeightedRows(chunk, factors.data(), chunk.count, outputs_, options_.threads);
    });
    for (Index a = 0; a < count; ++a) {
      outputs_(a, width) = static_cast<float>(options_.bias * factor_sums[a]);
    }
  }

  // How often row i is in the sum that class c asks for, given its product with the class's input.
  double Factor(Index c, Index i, double score) {
    const std::int8_t target = targets_(c, i);
    if (target == 0) return 0;
    const double cost = costs_[c].Of(target);
    if (states_[c].asks == ClassState::Asks::kProduct) {
      return inside_(c, i) != 0 ? 2 * cost * score : 0;
    }
    const double slack = 1 - target * score;
    inside_(c, i) = slack > 0 ? 1 : 0;
    if (slack <= 0) return 0;
    states_[c].losses += cost * slack * slack;
    return -2 * cost * target * slack;
  }

  void TakeObjective(Index c, Index a) {
    ClassState& state = states_[c];
    auto trial = Row(inputs_, a), gradient = Row(outputs_, a);
    gradient += trial;
    const double objective = Dot(trial, trial) / 2 + state.losses;
    const double squares = Dot(gradient, gradient);
    const bool less =
        objective <= state.objective + kArmijo * state.size * state.slope ||
        // Near the end, what is left to gain is less than the error of the objective.
        (objective <= state.objective * (1 + kRounding) && squares < state.gradient_squares);
    if (!state.first && !less) {
      state.size /= 2;
      if (++state.halvings > kMostNewtonHalvings) state.asks = ClassState::Asks::kNothing;
      return;
    }
    state.first = false;
    state.objective = objective;
    state.gradient_squares = squares;
    Row(point_, c) = trial;
    Row(gradient_, c) = gradient;
    report_.gap[c] = RelativeGap(objective, objective - squares / 2);
    if (report_.gap[c] <= options_.tolerance) {
      state.asks = ClassState::Asks::kNothing;
      return;
    }
    Row(step_, c).setZero();
    Row(residual_, c) = -gradient;
    state.residual_squares = squares;
    state.products = 0;
    Row(direction_, c) = Row(residual_, c);
    state.direction_norm = std::sqrt(squares);
    state.asks = ClassState::Asks::kProduct;
  }

  void TakeProduct(Index c, Index a) {
    ClassState& state = states_[c];
    auto direction = Row(inputs_, a), product = Row(outputs_, a);
    auto step = Row(step_, c), residual = Row(residual_, c);
    product += direction;
    const double length = Dot(direction, residual) / Dot(direction, product);
    step += static_cast<float>(length) * direction;
    residual -= static_cast<float>(length) * product;
    const double squares = Dot(residual, residual);
    const bool enough = squares <= kNewtonForcing * kNewtonForcing * state.gradient_squares ||
                        ++state.products >= kMostNewtonProducts || !(length > 0);
    if (!enough) {
      const auto ratio = static_cast<float>(squares / state.residual_squares);
      auto next = Row(direction_, c);
      next = residual + ratio * next;
      state.residual_squares = squares;
      state.direction_norm = std::sqrt(Dot(next, next));
      return;
    }
    state.slope = Dot(Row(gradient_, c), step);
    state.size = 1;
    state.halvings = 0;
    const bool down = state.slope < 0;
    state.asks = down ? ClassState::Asks::kObjective : ClassState::Asks::kNothing;
  }

  const SampleSource& rows_;
  const Targets& targets_;
  const SvmOptions& options_;
  SvmReport& report_;
  std::vector<SvmCosts> costs_;
  std::vector<ClassState> states_;
  // Which samples are inside the margin at the point last tried. A product is only asked for when
  // that point was accepted.
  Targets inside_;
  Rows point_, gradient_, step_, residual_, direction_;
  Rows inputs_, outputs_;  // of the active classes
};

}  // namespace

LinearModel TrainByNewton(const SampleSource& rows, const Targets& targets,
                          const SvmOptions& options, SvmReport& report, const LinearModel* start) {
  StartReport(report, targets.rows(), SvmSolver::kStream);
  LinearModel model = Newton(rows, targets, options, report).Run(start);
  FinishReport(report, options.tolerance);
  return model;
}

}  // namespace alcedo
