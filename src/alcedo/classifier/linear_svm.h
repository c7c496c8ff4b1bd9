// Linear support vector machines, one against the rest: many classes of many or wide rows at once.
//
// Of every class: the minimum over w of 1/2 |w|^2 + sum_i C_i loss(1 - y_i w . x_i), the sum over
// the samples whose target y_i is not 0, with loss(t) = max(0, t)^2 or max(0, t). It is liblinear's
// problem: every row has options.bias as one more feature, regularised as the others.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo {

enum class SvmLoss { kSquaredHinge, kHinge };
template <>
struct EnumNames<SvmLoss> {
  static constexpr std::array values{std::pair{SvmLoss::kSquaredHinge, "squared-hinge"},
                                     std::pair{SvmLoss::kHinge, "hinge"}};
};

// Gram: by dual coordinate descent on the n x n matrix of the rows' products (gram_svm.h), which
// all classes share. Stream: by passes over the rows, all classes together; Newton's method with
// conjugate gradients for the squared hinge, dual coordinate descent for the hinge.
enum class SvmSolver { kAuto, kGram, kStream };
template <>
struct EnumNames<SvmSolver> {
  static constexpr std::array values{std::pair{SvmSolver::kAuto, "auto"},
                                     std::pair{SvmSolver::kGram, "gram"},
                                     std::pair{SvmSolver::kStream, "stream"}};
};

struct SvmOptions {
  double c = 1;  // penalty of every sample's loss, 1e-12 to 1e12
  SvmLoss loss = SvmLoss::kSquaredHinge;
  double bias = 1;            // value of a constant feature, 0 to 1e6; 0: no bias
  bool balanced = false;      // C of a side times n / (2 n_side), for every class
  double tolerance = 1e-3;    // stop at this (P - D) / P of the primal and dual objectives
  int max_iterations = 1000;  // passes over the samples at most
  SvmSolver solver = SvmSolver::kAuto;  // auto: gram while n <= D and it fits, else stream
  double max_memory_mib = 2048;         // what the Gram matrix may take if auto is to choose it
  int threads = 1;                      // not a field: no result depends on it
};
// Throws InvalidArgument for options outside their range.
void Check(const SvmOptions& options);
template <class Visitor>
void VisitFields(SvmOptions& o, Visitor&& visit) {
  visit("c", o.c, "penalty of every sample's loss, > 0 (liblinear's C)");
  visit("loss", o.loss, "loss of a sample inside the margin");
  visit("bias", o.bias, "value of a constant feature, >= 0; 0: no bias (liblinear's -B)");
  visit("balanced", o.balanced, "weigh C so that both sides of a class count the same");
  visit("tolerance", o.tolerance, "stop at this duality gap, relative to the objective");
  visit("max_iterations", o.max_iterations, "passes over the samples at most");
  visit("solver", o.solver, "products of all rows, or passes over them; auto: the cheaper one");
  visit("max_memory_mib", o.max_memory_mib, "MiB that the products of all rows may take");
}

// The options with each of these C in place of their own.
std::vector<SvmOptions> ForPenalties(std::span<const double> cs, const SvmOptions& options = {});

// One entry per class. The gap is (P - D) / P of what is returned, 0 for a class without samples;
// float products of rows leave it an error of about 1e-6 (of n C / P times that at large C).
struct SvmReport {
  std::vector<int> iterations;
  std::vector<double> gap;
  bool converged = true;                // all gaps are within the tolerance
  SvmSolver solver = SvmSolver::kAuto;  // the one that was used
};

// What is to be separated: one row per class, one column per sample; 1, -1, or 0: the sample is
// left out of this class's problem (VOC's difficult images).
using Targets = OwnedArray<std::int8_t, 2>;

// 1 if the sample has the class's label, else -1. Requires 0 <= label < classes.
Targets OneVsRest(std::span<const int> labels, int classes);

// score = weights x + bias: options.bias is already multiplied in.
struct LinearModel {
  Rows weights;  // classes x D
  Vector bias;   // classes
};

// Requires finite rows of a norm of at most 1e15, as many as the targets have columns. Same bits
// for any number of threads. All problems have a solution, which is what is found: without samples
// it is 0, with samples of one side only the bias (and what the rows have in common) does the work.
//
// A warm start, a model of these classes for another C say, saves passes and changes the result
// within the tolerance only. The hinge does not use it: its dual is not a function of w.
LinearModel TrainLinearSvm(const RowsView& rows, const Targets& targets, const SvmOptions& options,
                           SvmReport* report = nullptr, const LinearModel* warm_start = nullptr);

// The same from rows that need not fit into memory. Beside a chunk of rows the stream form keeps
// about seven times the model and one byte per class and sample; with the hinge, twice the model
// and one float per class and sample. The Gram form reads the rows about n / 256 times.
LinearModel TrainLinearSvm(const SampleSource& rows, const Targets& targets,
                           const SvmOptions& options, SvmReport* report = nullptr,
                           const LinearModel* warm_start = nullptr);

// Samples x classes. Requires finite rows of the model's dimension.
Matrix Scores(const LinearModel& model, const RowsView& rows, int threads = 1);

}  // namespace alcedo
