// The hinge by passes over rows that need not fit into memory: dual coordinate descent, block after
// block of rows. The weights of all classes and one float per class and sample are in memory.
#pragma once

#include "alcedo/classifier/linear_svm.h"

namespace alcedo {

// Requires checked arguments. Also right for the squared hinge, for which Newton's method needs
// fewer passes.
LinearModel TrainByStreamedDual(const SampleSource& rows, const Targets& targets,
                                const SvmOptions& options, SvmReport& report);

}  // namespace alcedo
