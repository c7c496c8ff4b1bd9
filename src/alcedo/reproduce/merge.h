// One report from the results of several runs on the same dataset: of other tables, or with other
// seeds, made at other times or on other machines.
#pragma once

#include <string>
#include <vector>

#include "alcedo/report/results.h"

namespace alcedo::reproduce {

struct NamedResults {
  std::string name;  // for errors: the file
  report::Results results;
};

// As one run would have found it. Results with the same seeds must have different cells, which come
// after each other. Results with different seeds must have the same cells: values, intervals and
// comparisons are made anew from the predictions that the files hold. Gains per class, confusions
// and curves are of the first seed. All comparisons are corrected together.
//
// FormatError, with the file that does not fit, if images, version or options differ (but for the
// table, Gaussians, descriptor, seeds and disk, and for what only the other file's cells depend on,
// as sigma of EMK), or if seeds of a dataset with several labels are
// to be merged: their files hold no predictions of single channels.
report::Results MergeResults(std::vector<NamedResults> parts, int threads);

}  // namespace alcedo::reproduce
