// Results as people read them: a page, a document, a terminal.
#pragma once

#include <string>

#include "alcedo/report/results.h"

namespace alcedo::report {

// One page that needs nothing else: no scripts, no fonts, no images from elsewhere. HTML that is
// well-formed XML too. Every number comes from `results`; parts that are empty are
// left out; names may hold anything.
std::string HtmlReport(const Results& results);

// For documentation. GitHub's Markdown: summary, tables, what goes beyond the paper, chosen
// parameters, comparisons, checks, timings, configuration and seeds. Parts that are empty are left
// out.
std::string MarkdownReport(const Results& results);

// For a terminal. Tables of "paper / ours", then comparisons and checks, one line each. Lines end
// in '\n'; columns are aligned, and tables with many methods are split so that no table is wider
// than 100 columns (unless a single name is). `bold`: the best of a row in bold (ANSI), not only
// with a star.
std::string TextReport(const Results& results, bool bold);

}  // namespace alcedo::report
