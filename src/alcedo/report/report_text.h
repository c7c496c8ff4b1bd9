// How a report writes numbers and names: the same in a terminal, in Markdown, in HTML and in plots.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "alcedo/base/format.h"
#include "alcedo/report/results.h"

namespace alcedo::report {

// Printed if there is no number: infinities and NaN are never printed.
inline constexpr std::string_view kNoNumber = "–";

// "84.6".
std::string Percent(double value);
// "±0.9", half of the interval's width; empty if there is no interval.
std::string HalfWidth(double low, double high);
// "+1.3", "-0.4" (with a real minus sign), "0.0".
std::string Signed(double value);
// "0.031", "< 0.001".
std::string PValue(double p);
// At most four digits: "0.3", "1e5", "2.5e-9", "12,345" never.
std::string Short(double value);
// "12 s", "3 min 20 s", "2 h 46 min".
std::string Span(double seconds);

// "1 cell", "2 cells".
std::string Plural(std::size_t count, std::string_view one, std::string_view many);

// Whether the test images decide which of two methods is better: p < 0.05, and an interval without
// 0. The two come from different tests (evaluation/paired.h), and of few images one may say so
// alone.
bool IsDecided(const Comparison& comparison);
// How intervals and p of the comparisons were found, for whoever reads them side by side.
std::string ComparisonsNote(const Results& results);
// "on the validation split", or "by cross-validation with 5 folds of the training images".
std::string ChosenHow(const Results& results, std::string_view dataset);

// "top-1 accuracy in %, mean over classes"; a name that is not known stays as it is.
std::string MetricName(std::string_view metric);
// "by image", for a metric beside another.
std::string ShortMetricName(std::string_view metric);
// The title that the results give the dataset, or else the paper's.
std::string TitleOf(const Results& results, std::string_view dataset);

}  // namespace alcedo::report
