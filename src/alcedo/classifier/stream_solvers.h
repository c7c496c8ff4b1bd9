// SVMs by passes over rows that need not fit into memory.
#pragma once

#include "alcedo/classifier/linear_svm.h"

namespace alcedo {

// The hinge by dual coordinate descent, block after block of rows. The weights of all classes and
// one float per class and sample are in memory.
//
// Requires checked arguments. Also right for the squared hinge, for which Newton's method needs
// fewer passes.
LinearModel TrainByStreamedDual(const SampleSource& rows, const Targets& targets,
                                const SvmOptions& options, SvmReport& report);

// The squared hinge. The primal objective of a class, 1/2 |w|^2 + sum_i C_i max(0, 1 - y_i w .
// x_i)^2, is minimised by Newton's method; conjugate gradients solve for the step, as far as it
// pays. A pass gives every class what it needs next: a product of its Hessian, or objective and
// gradient at a new point. So no class waits for another, and all together are matrix products.
//
// Requires checked arguments. `start` may be null. At any w, alpha_i = 2 C_i max(0, 1 - y_i w .
// x_i) is a point of the dual, and the gap between the two is 1/2 |gradient|^2: what the report
// has.
LinearModel TrainByNewton(const SampleSource& rows, const Targets& targets,
                          const SvmOptions& options, SvmReport& report, const LinearModel* start);

}  // namespace alcedo
