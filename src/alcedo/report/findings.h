// Sentences made from the numbers of a report.
#pragma once

#include <string>
#include <vector>

#include "alcedo/report/results.h"

namespace alcedo::internal {

// How many of the paper's cells are reached, and what GMP gains with late fusion, on how many test
// images. What the test images do not decide is called so, and neither a gain nor a loss. Plain
// text; empty where there is nothing to say.
std::vector<std::string> SummarySentences(const Results& results);

// Each of the poolings that the paper does not have against GMP.
std::vector<std::string> BeyondSentences(const Results& results);

// Whether the run stopped early or was cut down; empty where neither.
std::string StatusSentence(const Results& results);

}  // namespace alcedo::internal
