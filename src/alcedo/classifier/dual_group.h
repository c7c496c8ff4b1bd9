// The dual problems of some classes on one Gram matrix, solved together.
//
// Passes of coordinate descent find out which alphas are at a bound, and projected Newton steps
// settle the others: descent alone takes long if rows have much in common (the constant feature
// is such a thing). Both are products of the matrix with all classes at once. Classes of the
// squared hinge with few samples inside the margin, and those that are still not there after many
// products, are solved by factorisations.
#pragma once

#include <optional>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/classifier/dual_block.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/newton_preconditioner.h"
#include "alcedo/classifier/svm_problem.h"

namespace alcedo {

struct GramProblem {
  const RowsView& gram;
  const Targets& targets;
  const SvmOptions& options;
  std::vector<SvmCosts> costs;
};

class DualGroup {
 public:
  // The classes from `first` on; all alphas are 0.
  DualGroup(const GramProblem& problem, Index first, Index count);

  // Takes alphas from another solution, clipped to the box.
  void Start(const KernelModel& start);

  // Descends until all classes are within the tolerance, or cannot get any nearer. Fills in the
  // classes' part of the report and their coefficients.
  void Run(SvmReport& report, Matrix& coefficients);

 private:
  const std::int8_t* Target(Index c) const { return problem_.targets.row(first_ + c).data(); }
  const SvmCosts& Costs(Index c) const { return problem_.costs[first_ + c]; }
  bool Hinge() const { return problem_.options.loss == SvmLoss::kHinge; }
  double MostAlpha(Index c, Index i) const;  // the upper bound
  Index Count() const { return static_cast<Index>(active_.size()); }

  // One step for every sample and active class.
  void Pass(int pass);
  // The first rows of delta_ are the active classes' changes of y alpha from sample `begin` on.
  void AddDelta(Index begin, Index size);
  double Gap(Index c) const;

  // One projected Newton step for every active class. Returns the number of products it took.
  int NewtonStep();
  // steps_ = the Newton steps of the free alphas, as far as it pays; 0 for the others.
  int SolveForStep();
  // products_ = matrix times the rows of `changes` that are wanted, with the constant feature.
  void Multiply(const Rows& changes, const std::vector<char>& wanted);
  double Free(Index c, Index i) const;  // 1 if an alpha is at no bound, else 0
  double DualObjective(Index c) const;

  // Whether so few samples are inside the margin that factorisations are the faster way. As long as
  // they are not settled, about twice as many will be.
  bool HasFewInside(Index c, bool settled) const;
  // One class by factorisations; the squared hinge only. False if the matrix is not one of
  // products to double precision; alphas are then as they were.
  bool SolveDirectly(Index c);

  const GramProblem& problem_;
  Index n_, first_;
  Matrix alpha_, scores_;  // scores_ = matrix times y alpha, with the constant feature
  Rows delta_, products_;
  Rows packed_;  // the rows of a product that does not want all, and what comes out
  Rows steps_;   // of the active classes, as are delta_ and products_
  std::optional<NewtonPreconditioner> preconditioner_;  // from the first Newton step on
  std::vector<Index> active_;
  std::vector<char> moved_;  // of each active class, in the last pass
  DualBlock block_;
};

}  // namespace alcedo
