// Sentences made from the numbers of a report.
#pragma once

#include <string>
#include <vector>

#include "alcedo/report/results.h"

namespace alcedo::report {

// How many of the paper's cells are reached, and what GMP gains with late fusion, on how many test
// images. What is ahead and what is undecided says the verdict (report/decisions.h). Plain
// text; empty if there is nothing to say.
std::vector<std::string> SummarySentences(const Results& results);

// Each of the methods that the paper's tables do not have against GMP.
std::vector<std::string> BeyondSentences(const Results& results);

// Whether the run stopped early or was cut down; empty if neither.
std::string StatusSentence(const Results& results);

}  // namespace alcedo::report
