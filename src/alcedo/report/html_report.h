// A report as one page that needs nothing else: no scripts, no fonts, no images from elsewhere.
#pragma once

#include <string>

#include "alcedo/report/results.h"

namespace alcedo::report {

// HTML that is well-formed XML too. Every number comes from `results`; parts that are empty are
// left out; names may hold anything.
std::string HtmlReport(const Results& results);

}  // namespace alcedo::report
