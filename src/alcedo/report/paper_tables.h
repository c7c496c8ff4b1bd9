// What the paper prints: its Tables 1 and 2 and the numbers of its paragraph on spatial pyramids
// (section 5), as data. Names are those of Cell.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace alcedo::report {

struct PaperCell {
  std::string_view table;    // "1", "2", "pyramid"
  std::string_view dataset;  // "voc2007", "cub2010", "cub2011", "pets", "flowers"
  std::string_view encoder;  // "emk", "fv"
  int gaussians = 0;         // 0 for emk
  std::string_view descriptor;
  std::string_view method;
  double value = 0;  // percent
};

// In the order of the paper: row by row, and in a row from left to right.
const std::vector<PaperCell>& PaperCells();

// Nothing if the paper has no such cell.
std::optional<double> PaperValue(std::string_view table, std::string_view dataset,
                                 std::string_view encoder, int gaussians,
                                 std::string_view descriptor, std::string_view method);

// "map-voc11" for VOC 2007 and "top1-classes" for the other datasets of the paper, nothing for any
// other. The paper says only "top-1"; the authors of Flowers and of Pets use the mean over classes.
std::optional<std::string_view> PaperMetric(std::string_view dataset);

// "Oxford 102 Flowers"; the name itself if the paper has no such dataset.
std::string_view DatasetTitle(std::string_view dataset);

// "Table 1: Efficient Match Kernels"; the name itself if there is no such table.
std::string_view TableTitle(std::string_view table);

}  // namespace alcedo::report
