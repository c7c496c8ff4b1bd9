// The parts of the HTML report.
#pragma once

#include <string>
#include <string_view>

#include "alcedo/report/report_lists.h"
#include "alcedo/report/results.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::internal {

// The page's style sheet.
extern const std::string_view kPageStyle;

// A table of ours and the paper's numbers, in a box that scrolls.
std::string HtmlTable(const Results& results, const TableLayout& table);
// Empty where the list is; `caption` stands for the title where the section does not say it.
std::string HtmlList(const List& list, bool with_caption);

// Figures, each a <figure>; empty where there is nothing to draw.
std::string CurveFigures(const Results& results);
std::string GainFigures(const Results& results);
std::string ConfusionFigures(const Results& results);

}  // namespace alcedo::internal
