// A report as a page of documentation.
#pragma once

#include <string>

#include "alcedo/report/results.h"

namespace alcedo::report {

// GitHub's Markdown: summary, tables, what goes beyond the paper, chosen parameters, comparisons,
// checks, timings, configuration and seeds. Parts that are empty are left out.
std::string MarkdownReport(const Results& results);

}  // namespace alcedo::report
