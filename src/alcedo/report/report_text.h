// How a report writes numbers and names: the same in a terminal, in Markdown, in HTML and in plots.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "alcedo/base/text.h"
#include "alcedo/report/results.h"

namespace alcedo::report {

// Bytes that are not UTF-8, and control characters, replaced: text from anywhere, for one line.
std::string CleanText(std::string_view text);
// Clean, and for XML and HTML, between tags and in attributes.
std::string Escape(std::string_view text);
// Clean, and with a backslash before whatever Markdown would read as markup, also in a table.
std::string MarkdownEscape(std::string_view text);
// With spaces around `sign` that no line ends at: "G = 16".
std::string Unbroken(std::string text, char sign);
// In code points, which is what a terminal's columns are for the texts of a report.
std::size_t Width(std::string_view text);

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

// "p = 0.031", or with what is left of it after the correction "p < 0.001, corrected 0.004".
std::string PText(const Comparison& comparison);
// How intervals and p of the comparisons were found, for whoever reads them side by side.
std::string ComparisonsNote(const Results& results);
// "± half of the 95% interval over test images, of one seed, or the interval": how to read a cell.
std::string IntervalNote(const Results& results);
// "on the validation split", or "by cross-validation with 5 folds of the training images".
std::string ChosenHow(const Results& results, std::string_view dataset);

// "top-1 accuracy in %, mean over classes"; a name that is not known stays as it is.
std::string MetricName(std::string_view metric);
// "by image", for a metric beside another.
std::string ShortMetricName(std::string_view metric);
// The title that the results give the dataset, or else the paper's.
std::string TitleOf(const Results& results, std::string_view dataset);

}  // namespace alcedo::report
