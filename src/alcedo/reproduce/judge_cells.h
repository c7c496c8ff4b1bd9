// From what methods said of the test images to the cells and comparisons of a report.
#pragma once

#include <string>
#include <vector>

#include "alcedo/report/results.h"
#include "alcedo/reproduce/judge.h"

namespace alcedo::reproduce {

// A cell without its interval, and what every seed's predictions are worth.
struct JudgedCell {
  report::Cell cell;
  std::vector<Scored> seeds;
};

// What comparisons, gains and curves call the encoder of a cell: a pyramid is one of its own.
std::string RepresentationOf(const report::Cell& cell);

// Adds the cells of one dataset, in order, with their intervals, and the comparisons of all pairs
// of methods that are worth one. All intervals are made together: what seeds change is pooled.
void AddJudged(const Judge& judge, std::vector<JudgedCell> cells, report::Results& results);

}  // namespace alcedo::reproduce
