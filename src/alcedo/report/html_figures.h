// The figures of the HTML report, each a <figure>; empty if there is nothing to draw.
#pragma once

#include <string>

#include "alcedo/report/results.h"

namespace alcedo::report {

std::string CurveFigures(const Results& results);
std::string GainFigures(const Results& results);
std::string ConfusionFigures(const Results& results);

}  // namespace alcedo::report
