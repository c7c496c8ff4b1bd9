// Which differences are decided: the one rule of all reports, summaries and pages.
#pragma once

#include "alcedo/report/results.h"

namespace alcedo::report {

// Sets `corrected_p` and `verdict` of all comparisons, from their other fields. All comparisons of
// one dataset are corrected together, by Holm's method; p that is not a number counts as 1. A
// method is ahead or behind if
// - the corrected p is below 0.05,
// - the interval excludes 0 (p and the interval can be of two tests: evaluation/paired.h),
// - and every seed's difference has the sign of their mean.
void Decide(Results& results);

}  // namespace alcedo::report
