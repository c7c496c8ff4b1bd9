// A report for a terminal.
#pragma once

#include <string>

#include "alcedo/report/results.h"

namespace alcedo::report {

// Tables of "paper / ours", then comparisons and checks, one line each. Lines end in '\n'; columns
// are aligned, and tables with many methods are split so that no table is wider than 100 columns
// (unless a single name is). `bold`: the best of a row in bold (ANSI), not only with a star.
std::string TextReport(const Results& results, bool bold);

}  // namespace alcedo::report
